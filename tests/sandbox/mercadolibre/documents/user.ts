import type { Buyer } from '../buyers';
import { SELLER_ID, SELLER_NICKNAME } from '../constants';

const REPUTATION = {
  level_id: '5_green',
  power_seller_status: 'gold',
  transactions: {
    period: 'historic',
    total: 4213,
    completed: 4020,
    canceled: 193,
    ratings: { positive: 0.97, negative: 0.02, neutral: 0.01 },
  },
};
const ALLOWED = { allow: true, codes: [] };

export const sellerDocument = (siteId: string, up = false, stores = 0) => ({
  id: SELLER_ID,
  nickname: SELLER_NICKNAME,
  registration_date: '2014-03-18T11:02:11.000-04:00',
  first_name: 'Amelia',
  last_name: 'Sandoval Ríos',
  email: 'ventas@trastienda.example',
  country_id: siteId.slice(-1) === 'M' ? 'MX' : 'AR',
  site_id: siteId,
  identification: { type: 'RFC', number: 'EKU9003173C9' },
  address: { state: 'MX-DIF', city: 'Cuauhtémoc', address: 'Calle Colima 150', zip_code: '06700' },
  phone: { area_code: '55', number: '55512340', extension: '', verified: true },
  alternative_phone: { area_code: '', number: '', extension: '' },
  user_type: 'normal',
  tags: [
    'normal',
    'user_info_verified',
    'mshops',
    'messages_as_seller',
    ...(up ? ['user_product_seller'] : []),
    ...(stores > 0 ? ['warehouse_management'] : []),
    ...(stores > 1 ? ['multiwarehouse'] : []),
  ],
  logo: null,
  points: 4213,
  permalink: `http://perfil.mercadolibre.com.mx/${SELLER_NICKNAME}`,
  seller_experience: 'ADVANCED',
  seller_reputation: REPUTATION,
  buyer_reputation: { canceled_transactions: 0, tags: [], transactions: { period: 'historic', total: null } },
  status: {
    site_status: 'active',
    list: ALLOWED,
    buy: ALLOWED,
    sell: ALLOWED,
    billing: ALLOWED,
    mercadoenvios: 'accepted',
  },
  credit: { consumed: 0, credit_level_id: 'MLM1', rank: 'newbie' },
});

/** A user as strangers see them. */
export function publicUser(buyer: Buyer) {
  const hidden = buyer.index % 17 === 0;
  return {
    id: buyer.id,
    nickname: buyer.nickname,
    country_id: 'MX',
    address: { city: hidden ? null : buyer.place.city, state: hidden ? null : buyer.place.stateId },
    user_type: 'normal',
    site_id: 'MLM',
    permalink: `http://perfil.mercadolibre.com.mx/${buyer.nickname}`,
    seller_reputation: {
      level_id: null,
      power_seller_status: null,
      transactions: {
        period: 'historic',
        total: 0,
        completed: 0,
        canceled: 0,
        ratings: { positive: 0, negative: 0, neutral: 0 },
      },
    },
    status: { site_status: 'active' },
  };
}
