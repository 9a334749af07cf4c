/** The identity of the impostor: one seller of Amazon México, and the application that the seller lets in. */
export const MARKETPLACE_ID = 'A1AM78C64UM0Y8';
export const SELLER_ID = 'A1DEMOTIENDA01';
export const APP_ID = 'amzn1.sp.solution.0f0e0d0c-demo-4000-8000-000000000001';
export const CLIENT_ID = 'amzn1.application-oa2-client.demo0001';
export const CLIENT_SECRET = 'sandbox-secret-amz';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
