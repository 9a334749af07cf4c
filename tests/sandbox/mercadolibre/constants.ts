/** The demo application and the demo seller of this impostor. Their keys open nothing else. */
export const CLIENT_ID = '5503910054140000';
export const CLIENT_SECRET = 'sandbox-secret-ml';
export const SELLER_ID = 468123907;
export const SELLER_NICKNAME = 'TRASTIENDA_CCTV_MX';
/** The user that answers in the place of buyers in Mexico. */
export const AGENT_ID = 3037204279;
/** An order of another seller. Reading it answers 403. */
export const FOREIGN_ORDER_ID = 2000016999999999;
export const DEFAULT_SEED = 'trastienda';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
