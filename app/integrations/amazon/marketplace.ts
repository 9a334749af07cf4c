export const MEXICO = 'A1AM78C64UM0Y8';
