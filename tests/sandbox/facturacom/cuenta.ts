/** The company behind the keys, and the check of the three headers of every request. The keys are no secret: they open a sandbox. */
import { json, type SandboxRequest, type SandboxResponse } from '../service';

export const PLUGIN = '9d4095c8f7ed5785cb14c0e3b033eeb8252416ed';
/** The key of the API, built as the vendor's: the base64 of a text that looks like a bcrypt hash. */
export const API_KEY = Buffer.from('$2y$10$SandboxDeTrastienda.ApiKey.SinValidezFiscal.0000').toString('base64');
export const SECRET_KEY = Buffer.from('$2y$10$SandboxDeTrastienda.Secret.SinValidezFiscal.0000').toString('base64');

export const EMISOR = {
  uid: '5f0a7c11d2e34',
  rfc: 'EKU9003173C9',
  nombre: 'ESCUELA KEMPER URGATE',
  regimen: '601',
  cp: '42501',
  zona: 'America/Mexico_City',
} as const;

/** The PAC, as its certificate and its stamps name it. */
export const PAC = { rfc: 'SLP2001015X3', nombre: 'SANDBOX LOCAL DE CERTIFICACION' } as const;

/** Returns the refusal of wrong keys; undefined when they are right. The true API repeats the keys, decoded, so a client must never log this body. */
export function refuseKeys({ headers }: SandboxRequest): SandboxResponse | undefined {
  const key = String(headers['f-api-key'] ?? '');
  const secret = String(headers['f-secret-key'] ?? '');
  if (headers['f-plugin'] === PLUGIN && key === API_KEY && secret === SECRET_KEY) return undefined;
  return authError(key, secret);
}

export function authError(key: string, secret: string): SandboxResponse {
  return json(401, {
    status: 'error',
    message: 'La cuenta que intenta autenticarse no existe',
    Data: decode(key),
    Secret: decode(secret),
  });
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

export function currentAccount(): SandboxResponse {
  return json(200, {
    status: 'success',
    data: {
      uid: EMISOR.uid,
      razon_social: EMISOR.nombre,
      rfc: EMISOR.rfc,
      regimen_fiscal: 'GeneraldeLeyPersonasMorales',
      calle: 'Boulevard de las Pruebas',
      exterior: '100',
      interior: '',
      colonia: 'Centro',
      codpos: EMISOR.cp,
      ciudad: 'Pachuca de Soto',
      estado: 'Hidalgo',
      email: 'facturacion@sandbox.test',
    },
  });
}
