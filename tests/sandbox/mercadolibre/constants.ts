/** The demo application and the demo seller of this impostor. They open nothing outside of it. */
export const CLIENT_ID = '5503910054140000';
export const CLIENT_SECRET = 'sandbox-secret-ml';
export const SELLER_ID = 468123907;
export const SELLER_NICKNAME = 'TRASTIENDA_CCTV_MX';
/** An order that exists and belongs to somebody else: its reader gets 403. */
export const FOREIGN_ORDER_ID = 2000016999999999;
export const DEFAULT_SEED = 'trastienda';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
