// The one table of errors: status and default message of each, and which database constraint means which.

export const errorTable = {
  // 400: the request is wrong
  invalid_json: [400, 'The body is not valid JSON'],
  invalid_header: [400, 'A header is not valid'],
  invalid_url: [400, 'The address is not valid'],
  invalid_parameters: [400, 'Some parameters are not valid'],
  invalid_cursor: [400, 'The cursor is not valid for this list, sort and filter'],
  unknown_variant: [400, 'Some lines name a product variant that does not exist', 'variant_not_found'],
  ambiguous_variant: [400, 'Some lines match more than one product variant'],
  ambiguous_identifier: [400, 'The identifier matches more than one product variant'],
  variant_archived: [400, 'Some lines name an archived product variant'],
  customs_required: [400, 'A parcel that leaves its country needs customsInput'],
  service_unavailable: [400, 'No carrier account offers this service for these packages'],
  unprintable: [400, 'Some texts hold characters that a label cannot carry'],
  // 401, 403
  unauthorized: [401, 'The API key is missing or not valid'],
  permission_denied: [403, 'The API key lacks the permission that this operation needs'],
  // 404
  not_found: [404, 'Not found'],
  client_not_found: [404, 'No such client organization'],
  variant_not_found: [404, 'No product variant has this identifier'],
  // 405
  method_not_allowed: [405, 'This address does not take this method'],
  // 408
  request_timeout: [408, 'The request did not arrive in time'],
  // 409: the request conflicts with what is stored
  conflict: [409, 'The request conflicts with the present state'],
  idempotency_key_in_use: [409, 'A request with this Idempotency-Key is still running'],
  sku_taken: [409, 'Another product variant has this sku'],
  barcode_taken: [409, 'Another product variant has this barcode'],
  slug_taken: [409, 'This slug is taken'],
  name_taken: [409, 'This name is taken'],
  alias_taken: [409, 'Another order has this alias'],
  supplier_product_taken: [409, 'The supplier has an entry for this product variant already'],
  over_receipt: [409, 'More than was ordered'],
  has_receipts: [409, 'Something has been received already'],
  insufficient_stock: [409, 'There is not enough stock'],
  stale_quantity: [409, 'The quantity is not what was expected'],
  quantity_exceeded: [409, 'More than what is open'],
  invalid_transition: [409, 'This change of state is not allowed'],
  archived: [409, 'The record is archived'],
  in_use: [409, 'The record is in use'],
  endpoint_disabled: [409, 'The webhook endpoint is disabled'],
  too_many_endpoints: [409, 'There are as many webhook endpoints as are allowed'],
  rate_card_taken: [409, 'The account has a rate card from this day on already'],
  too_many_carrier_accounts: [409, 'There are as many carrier accounts as are allowed'],
  shared_carrier_account: [409, 'Only the organization that owns this carrier account can change it'],
  shared_warehouse: [409, 'Only the organization that owns this warehouse can change it'],
  reference_taken: [409, 'Another shipment has this reference'],
  quote_bought: [409, 'The quote was bought already'],
  quote_expired: [409, 'The quote has expired'],
  nothing_to_close: [409, 'There is no parcel to put on a manifest'],
  purchase_running: [409, 'The carrier is being asked by another request'],
  not_voidable: [409, 'The label can no longer be voided'],
  // 410
  events_expired: [410, 'The events that follow are no longer kept'],
  // 412 - 431
  precondition_failed: [412, 'The record has changed since it was read'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be application/json'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The headers are too large'],
  // 5xx
  internal_error: [500, 'Internal server error'],
  carrier_rejected: [502, 'The carrier refused'],
  carrier_unavailable: [502, 'The carrier could not be reached, or gave no answer that can be used'],
  carrier_credentials: [502, 'The carrier does not accept the credentials of the account'],
  unavailable: [503, 'The database cannot be reached, or does not take what was to be written'],
  overloaded: [503, 'The service has more to do than it can'],
  carrier_timeout: [504, 'The carrier did not answer in time'],
} as const satisfies Record<string, readonly [status: number, message: string, codeOnTheWire?: string]>;

export type ErrorCode = keyof typeof errorTable;

/** One thing that is wrong with one field. `path` is a JSON pointer into the body, or `/name` of a parameter. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** An answer other than 200. Thrown anywhere, turned into HTTP in one place (http/error-handler.ts). */
export class ApiError extends Error {
  /** What `details.code` says. */
  readonly code: string;
  readonly status: number;
  readonly issues: Issue[] | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; issues?: Issue[]; details?: Record<string, unknown> } = {},
  ) {
    super(options.message ?? errorTable[code][1]);
    this.code = (errorTable[code] as readonly [number, string, string?])[2] ?? code;
    this.status = errorTable[code][0];
    this.issues = options.issues;
    this.details = options.details;
    this.#row = code;
  }

  readonly #row: ErrorCode;

  /** The same, with its issues said otherwise. */
  withIssues(issues: Issue[]): ApiError {
    const { message, details } = this;
    return new ApiError(this.#row, { message, issues, ...(details === undefined ? {} : { details }) });
  }
}

/** The 404 of a record: the same for one that is missing and one of another organisation. */
export function notFound(kind: string): ApiError {
  return new ApiError('not_found', { message: `No such ${kind}` });
}

/** The 400 that names wrong fields found after the schema was satisfied. */
export function invalid(issues: Issue[]): ApiError {
  return new ApiError('invalid_parameters', { issues });
}

/** Constraints that clients can run into, and the error each one means. */
export const constraintErrors: Readonly<Record<string, ErrorCode>> = {
  organizations_slug_key: 'slug_taken',
  products_slug_key: 'slug_taken',
  product_variants_sku_key: 'sku_taken',
  product_variants_barcode_key: 'barcode_taken',
  product_variants_asin_key: 'barcode_taken',
  product_variants_ean_key: 'barcode_taken',
  product_variants_isbn_key: 'barcode_taken',
  product_variants_upc_key: 'barcode_taken',
  warehouse_locations_name_key: 'name_taken',
  supplier_products_variant_key: 'supplier_product_taken',
  orders_unique_alias_key: 'alias_taken',
  rate_cards_effective_from_key: 'rate_card_taken',
  shipments_reference_key: 'reference_taken',
  inventory_locations_quantity_not_negative: 'insufficient_stock',
  inventory_levels_quantities_not_negative: 'insufficient_stock',
};
