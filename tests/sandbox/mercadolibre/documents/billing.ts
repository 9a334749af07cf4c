import { SELLER_ID } from '../constants';
import { REGIMENES, USOS } from '../fiscal';
import type { Sale } from '../sale';

/** `GET /orders/billing-info/MLM/{id}`: the tax data that the buyer typed, right or wrong. Any leaf may be null. */
export function billingDocument({ buyer, fiscal, seq }: Sale) {
  const holes = fiscal.kind === 'conNulos';
  return {
    site_id: 'MLM',
    buyer: {
      cust_id: buyer.id,
      billing_info: {
        name: fiscal.name,
        ...(fiscal.company ? {} : { last_name: fiscal.lastName }),
        identification: { type: 'RFC', number: fiscal.rfc },
        taxes: {
          contributor: holes ? null : fiscal.company ? 'PERSONA MORAL' : 'PERSONA FÍSICA',
          taxpayer_type: {
            id: fiscal.regimen,
            description: fiscal.regimen ? (REGIMENES[fiscal.regimen] ?? null) : null,
          },
          cfdi: { id: fiscal.usoCfdi, description: fiscal.usoCfdi ? (USOS[fiscal.usoCfdi] ?? null) : null },
        },
        address: {
          street_name: holes ? null : buyer.street,
          street_number: holes ? null : buyer.streetNumber,
          city_name: holes ? null : buyer.place.city,
          ...(buyer.comment && !holes ? { comment: buyer.comment } : {}),
          ...(holes ? {} : { neighborhood: buyer.place.colonia }),
          zip_code: fiscal.kind === 'generico' ? buyer.place.zip : fiscal.cp,
          state: { code: buyer.place.stateId, name: buyer.place.state },
          country_id: 'MX',
        },
        attributes: {
          vat_discriminated_billing: 'true',
          ...(fiscal.company ? {} : { birth_date: holes ? null : '1985/04/12' }),
          is_normalized: seq % 2 === 0,
          customer_type: fiscal.company ? 'BU' : 'CO',
        },
      },
    },
    seller: { cust_id: SELLER_ID },
  };
}
