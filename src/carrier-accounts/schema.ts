// Carrier accounts and their rate cards on the wire.
import { Id, object, Type } from '../http/schemas.ts';

/** What rates, shipments and manifests show of their account. */
export const CarrierAccountSummary = object({
  id: Id,
  carrierCode: Type.String(),
  description: Type.String(),
});
