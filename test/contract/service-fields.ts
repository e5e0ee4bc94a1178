// The field tables of the service's description: what every record of the documented endpoints carries.
// A field added by us belongs into a feature's schema, not into this file; a field missing here is a promise broken.

const all = (text: string) => text.split(/,?\s+/).filter((name) => name !== '');

const address = all(`name company street1 street2 city state postalCode country phone email facilityCode
  isResidential isVerified taxIdentifier`);

const reducedAddress = all('name company street1 street2 city state postalCode country phone email');

const orderList =
  all(`id organizationId name alias price compareAtPrice currency financialStatus fulfillmentStatus
  orderDate createdAt customer lineItems tags notes shipments tasks returnOrders`);

const variant =
  all(`id organizationId productId title sku skuAliases barcode asin ean isbn upc price compareAtPrice
  wholesalePrice costPrice currency position taxable discountable requiresShipping tracksInventory inventoryPolicy
  inventoryAllocationStrategy selectedOptions image weight weightUnit dimensions dimensionsUnit tariffCode
  countryOfOrigin createdAt updatedAt archivedAt featuredMediaId product inventoryLevels inventoryLocations
  supplierProducts packagings serviceObjects bomLineItems media unitsOfMeasure bom featuredMedia`);

const product =
  all(`id organizationId isBundle name slug description options brand vendor manufacturer eccn imageUrl
  imageFile variants productVariants createdAt updatedAt archivedAt featuredMediaId serviceObjects media
  featuredMedia`);

const quote =
  all(`id organizationId shipToAddress shipFromAddress shippingDate messages packages shippingRates
  createdAt updatedAt`);

const purchaseOrderList = all(`id organizationId name status supplierId subtotal totalTax grandTotal currency
  trackingNumber referenceNumber shippingCarrier expectedDate createdAt updatedAt cancelledAt supplier warehouse
  lineItems tags notes`);

/** Record -> its fields. A nested record is one of its own, `order.customer`. */
export const fields = {
  address,
  'order (list)': orderList,
  order: [
    ...orderList,
    ...all('targetDeliveryDate shipToAddress shipMethod insuranceRequest updatedAt archivedAt'),
  ],
  'order.customer': all('id name email phone company'),
  'order.tag': all('id name'),
  'order.note': all('id content createdAt user'),
  'order.note.user': all('id name email'),
  'order.lineItem (list)': all('id price quantity productVariant'),
  'order.lineItem.productVariant (list)': all('id title sku product'),
  'order.lineItem.productVariant.product': ['name'],
  'order.lineItem': all('id price compareAtPrice currency quantity productVariant'),
  'order.lineItem.productVariant':
    all(`id title sku product productId skuAliases barcode price compareAtPrice currency
    weight weightUnit dimensions dimensionsUnit tracksInventory`),
  dimensions: all('length width height'),
  product,
  productVariant: variant,
  inventoryLevel: all(`id organizationId availableQuantity committedQuantity reservedQuantity incomingQuantity
    damagedQuantity qualityControlQuantity safetyStockQuantity organization productVariant warehouse serviceObjects`),
  'inventoryLevel.productVariant': all('id organizationId productId title sku skuAliases product'),
  'inventoryLevel.productVariant.product': all('id name slug'),
  'inventoryLevel.warehouse': all('id name address'),
  'inventoryLevel.warehouse.address': all('street1 city state country'),
  inventoryLocation:
    all(`id organizationId warehouseLocationId productVariantId quantity unitsOfMeasureId uomQuantity
    expirationDate lotNumber createdAt updatedAt archivedAt organization productVariant warehouseLocation
    unitsOfMeasure`),
  'inventoryLocation.productVariant': all('id title sku'),
  'inventoryLocation.warehouseLocation': all('id name type pickable'),
  'purchaseOrder (list)': purchaseOrderList,
  'purchaseOrder.supplier (list)': all('id name'),
  'purchaseOrder.warehouse (list)': all('id name'),
  'purchaseOrder.lineItem (list)': all(
    `id productVariantId requestedQuantity unitPrice subtotal productVariant`,
  ),
  'purchaseOrder.lineItem.productVariant (list)': all('title sku'),
  purchaseOrder: [...purchaseOrderList, ...all('paymentTerms purchaseOrderReceipts')],
  'purchaseOrder.supplier': all('id name organizationId email phone currency'),
  'purchaseOrder.warehouse': all('id name organizationId addressId isThirdParty sharedWithChildren'),
  'purchaseOrder.lineItem':
    all(`id productVariantId requestedQuantity unitPrice subtotal productVariant organizationId
    supplierProductId taxRate createdAt updatedAt purchaseOrderLineItemReceipts`),
  'purchaseOrder.lineItem.productVariant': all('title sku id product'),
  'purchaseOrder.lineItem.productVariant.product': all('name brand manufacturer'),
  'purchaseOrder.tag': all('id name'),
  'purchaseOrder.note (list)': all('id content'),
  'purchaseOrder.note': all('id content type createdAt'),
  shippingQuote: quote,
  'shippingQuote.package': all('id weight weightUnit dimensions dimensionsUnit packaging'),
  'shippingQuote.package.packaging': all('name type'),
  'shippingQuote.shippingRate':
    all(`id serviceCode rateTotal rateSurcharges compareAtRate currency estDeliveryDays
    estDeliveryDate deliveryDateGuaranteed message carrierAccount`),
  'shippingQuote.shippingRate.carrierAccount': all('carrierCode description'),
  'shipment.returnAddress': reducedAddress,
  shipment:
    all(`id organizationId trackingCode returnAddress carrierAccount shippingQuote shippingRate tracker order
    createdAt updatedAt`),
  'shipment.carrierAccount': all('carrierCode description'),
  'shipment.shippingRate': all('serviceCode rateTotal currency estDeliveryDays estDeliveryDate'),
  'shipment.tracker': all('status statusDetail estDeliveryDate trackingUrl'),
  'shipment.order': all('id name'),
  'list envelope': all('object data hasMore totalCount limit'),
  'list envelope with cursor': all('object data hasMore totalCount limit nextCursor'),
  'inventory locations envelope': all('object data totalCount'),
} as const satisfies Record<string, readonly string[]>;

/** Method and path of every documented endpoint. */
export const endpoints: [method: string, path: string][] = [
  ['GET', '/orders'],
  ['POST', '/orders'],
  ['GET', '/orders/{orderId}'],
  ['GET', '/shipping-quotes'],
  ['POST', '/shipments'],
  ['GET', '/purchase-orders'],
  ['GET', '/purchase-orders/{purchaseOrderId}'],
  ['GET', '/products'],
  ['POST', '/products/{productId}'],
  ['DELETE', '/products/{productId}'],
  ['POST', '/products/{productId}/variants/{productVariantId}'],
  ['GET', '/products/{productId}/inventory-level'],
  ['GET', '/inventory/levels'],
  ['GET', '/inventory/locations'],
  ['POST', '/inventory'],
];

interface Parameter {
  name: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  enum?: string[];
  required?: true;
}

const common = (sortOrder: 'asc' | 'desc'): Parameter[] => [
  { name: 'limit', default: 10, minimum: 1, maximum: 100 },
  { name: 'page', default: 1, minimum: 1 },
  { name: 'search' },
  { name: 'cursor' },
  { name: 'sortBy' },
  { name: 'sortOrder', default: sortOrder, enum: ['asc', 'desc'] },
];

export const financialStatuses = all(
  'authorized expired paid partially-paid partially-refunded pending refunded voided',
);
export const fulfillmentStatuses = all('scheduled open confirmed on-hold partially-fulfilled fulfilled');

const purchaseOrderStatuses = all('draft open confirmed partially-received received cancelled');

/** The documented query parameters of each list that is served. */
export const parameters: Record<string, Parameter[]> = {
  'GET /orders': [
    ...common('desc'),
    { name: 'includeArchived', default: false },
    { name: 'financialStatus', enum: financialStatuses },
    { name: 'fulfillmentStatus', enum: fulfillmentStatuses },
    { name: 'dateRange[from]' },
    { name: 'dateRange[to]' },
  ],
  'GET /shipping-quotes': [
    ...common('desc'),
    { name: 'hasShipment' },
    { name: 'dateRange[from]' },
    { name: 'dateRange[to]' },
  ],
  'GET /purchase-orders': [
    ...common('desc'),
    { name: 'status', enum: purchaseOrderStatuses },
    { name: 'supplierId' },
    { name: 'warehouseId' },
    { name: 'childOrders', default: false },
    { name: 'includeArchived', default: false },
    { name: 'from' },
    { name: 'to' },
  ],
  'GET /products': [...common('desc'), { name: 'includeArchived', default: false }],
  'GET /products/{productId}/inventory-level': [
    ...common('asc'),
    { name: 'warehouseId' },
    { name: 'childInventory', default: false },
  ],
  'GET /inventory/levels': [
    ...common('asc'),
    { name: 'warehouseId' },
    { name: 'childInventory', default: false },
  ],
  'GET /inventory/locations': [
    { name: 'productVariantIdentifier', required: true },
    { name: 'identifierType', enum: all('id sku skuAliases barcode') },
    { name: 'warehouseId', required: true },
  ],
};

/** The documented body fields of each write that is served; those after `required` may not be left out. */
export const bodies: Record<string, { required: string[]; optional: string[] }> = {
  'POST /orders': {
    // currency and both statuses have documented defaults, so they may be left out.
    required: all('name price orderDate'),
    optional:
      all(`alias compareAtPrice currency financialStatus fulfillmentStatus targetDeliveryDate shipToAddress
      customerId lineItems tags notes returnOrder`),
  },
  'POST /products/{productId}': {
    required: [],
    optional: all('isBundle name slug description options brand vendor manufacturer eccn imageUrl'),
  },
  'POST /products/{productId}/variants/{productVariantId}': {
    required: [],
    optional:
      all(`title sku skuAlias barcode asin ean isbn upc price compareAtPrice wholesalePrice costPrice currency
      position taxable discountable requiresShipping tracksInventory inventoryPolicy selectedOptions image weight
      weightUnit dimensions dimensionsUnit tariffCode countryOfOrigin`),
  },
  'POST /shipments': {
    required: all('shipToAddress shipFromAddress packages carrierCode serviceCode'),
    optional: all('shippingDate customsInput labelFormat zplDpi'),
  },
  'POST /inventory': {
    required: all('productVariantIdentifier warehouseLocationId changeQuantity warehouseId'),
    optional: all(
      `identifierType moveToWarehouseLocationId reason lotNumber expirationDate expectedQuantity`,
    ),
  },
};
