import { z } from 'zod';
import { Amount, Instant, list, text, word } from './wire';

const Cuando = Instant.nullish()
  .catch(null)
  .transform((at) => at ?? null);
const Tarifa = z.object({ CurrencyCode: word, Amount });

/** A service on offer. Without these fields it cannot be bought, and is no offer. */
export const Service = z.object({
  ShippingServiceId: z.string().min(1),
  ShippingServiceOfferId: text,
  ShippingServiceName: text,
  CarrierName: text,
  EarliestEstimatedDeliveryDate: Cuando,
  LatestEstimatedDeliveryDate: Cuando,
  Rate: Tarifa,
  RequiresAdditionalSellerInputs: z
    .boolean()
    .nullish()
    .transform((asks) => asks ?? false),
});

const Carrier = z.object({ CarrierName: text });

export const Services = z.object({
  payload: z.object({
    ShippingServiceList: list(z.unknown()),
    RejectedShippingServiceList: list(
      z.object({
        CarrierName: text,
        ShippingServiceName: text,
        RejectionReasonCode: text,
        RejectionReasonMessage: text,
      }),
    ),
    TemporarilyUnavailableCarrierList: list(Carrier),
    TermsAndConditionsNotAcceptedCarrierList: list(Carrier),
  }),
});

export const Shipment = z.object({
  payload: z.object({
    ShipmentId: z.string().min(1),
    AmazonOrderId: text,
    Status: word,
    TrackingId: text,
    /** The service that was bought; its fields are as loose as those of an offer. */
    ShippingService: z
      .object({
        ShippingServiceName: text,
        CarrierName: text,
        EarliestEstimatedDeliveryDate: Cuando,
        LatestEstimatedDeliveryDate: Cuando,
        Rate: Tarifa.nullish().catch(null),
      })
      .nullish()
      .catch(null),
    /** The label; empty once the shipment was cancelled. */
    Label: z
      .object({
        FileContents: z.object({ Contents: text, FileType: text, Checksum: text }).nullish(),
      })
      .nullish()
      .catch(null),
  }),
});
export type Shipment = z.output<typeof Shipment>['payload'];
