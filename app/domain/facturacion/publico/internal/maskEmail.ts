/** Masks an e-mail address: 'maria.lopez@correo.com.mx' becomes 'm•••@c•••.mx', which only its owner recognises. */
export function maskEmail(email: string): string {
  const [user = '', domain = ''] = email.split('@');
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : '';
  return `${user.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end}`;
}
