/** 'maria.lopez@correo.com.mx' as 'm•••@c•••.mx': enough for its owner, nothing for anybody else. */
export function maskEmail(email: string): string {
  const [user = '', domain = ''] = email.split('@');
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : '';
  return `${user.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end}`;
}
