/** Two self-made certificates that look like the SAT's: the issuer's seal and the PAC's. Their keys are made once and live in the state. */
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import forge from 'node-forge';
import { EMISOR, PAC } from './cuenta';

export interface KeyPems {
  emisor: { key: string; cert: string };
  pac: { key: string; cert: string };
}

export interface Sealer {
  noCertificado: string;
  /** The certificate as DER in base64, as the attribute Certificado carries it. */
  certificado: string;
  certPem: string;
  seal(cadenaOriginal: string): string;
}

/** The serial number of a certificate. The SAT writes its 20 digits as ASCII: hex 3330… reads '30…'. Test certificates begin with 30001000000. */
const NO_CERTIFICADO = { emisor: '30001000000900000001', pac: '30001000000900000002' };

export function makeKeys(): KeyPems {
  return {
    emisor: certify(NO_CERTIFICADO.emisor, [
      { name: 'commonName', value: `${EMISOR.nombre} (SANDBOX LOCAL SIN VALIDEZ FISCAL)` },
      { type: '2.5.4.41', value: EMISOR.nombre },
      { name: 'organizationName', value: EMISOR.nombre },
      { type: '2.5.4.45', value: `${EMISOR.rfc} / VADA800927DJ3` },
      { name: 'organizationalUnitName', value: 'Sucursal 1' },
    ]),
    pac: certify(NO_CERTIFICADO.pac, [
      { name: 'commonName', value: `${PAC.nombre} (SIN VALIDEZ FISCAL)` },
      { type: '2.5.4.41', value: PAC.nombre },
      { name: 'organizationName', value: PAC.nombre },
      { type: '2.5.4.45', value: PAC.rfc },
      { name: 'organizationalUnitName', value: `PAC${PAC.rfc}` },
    ]),
  };
}

function certify(number: string, subject: forge.pki.CertificateField[]) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = Buffer.from(number, 'ascii').toString('hex');
  certificate.validity.notBefore = new Date(Date.now() - 24 * 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + 4 * 365 * 24 * 3_600_000);
  certificate.setSubject(subject);
  certificate.setIssuer([
    { name: 'commonName', value: 'AC SANDBOX LOCAL DE TRASTIENDA' },
    { name: 'organizationName', value: 'SANDBOX SIN VALIDEZ FISCAL' },
    { name: 'countryName', value: 'MX' },
  ]);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}

export function sealers(keys: KeyPems): { emisor: Sealer; pac: Sealer } {
  return { emisor: sealer(keys.emisor, NO_CERTIFICADO.emisor), pac: sealer(keys.pac, NO_CERTIFICADO.pac) };
}

function sealer({ key, cert }: { key: string; cert: string }, noCertificado: string): Sealer {
  const privateKey: KeyObject = createPrivateKey(key);
  return {
    noCertificado,
    certPem: cert,
    certificado: cert.replace(/-----[^-]+-----|\s/g, ''),
    seal: (cadenaOriginal) => sign('sha256', Buffer.from(cadenaOriginal, 'utf8'), privateKey).toString('base64'),
  };
}
