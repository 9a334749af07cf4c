import { z } from 'zod';
import { Amount, Instant, list, text, word } from './wire';

/** What we read of Merchant Fulfillment, in its own words. */

const Cuando = Instant.nullish()
  .catch(null)
  .transform((at) => at ?? null);
const Tarifa = z.object({ CurrencyCode: word, Amount });

/** One that cannot be bought without these is no offer. */
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
    /** What was bought; its fields are as loose as those of any list. */
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
    /** Empty once the shipment was cancelled. */
    Label: z
      .object({
        FileContents: z.object({ Contents: text, FileType: text, Checksum: text }).nullish(),
      })
      .nullish()
      .catch(null),
  }),
});
export type Shipment = z.output<typeof Shipment>['payload'];
