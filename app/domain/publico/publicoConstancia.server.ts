import { LimitReached } from '~/core/errors';
import { takeRate } from '~/domain/cuentas/rateLimit.server';
import { leerPdf } from '~/domain/files/leerPdf.server';
import type { Enlace } from '~/domain/enlaces/enlaces.server';
import type { Db } from '~db/client.server';
import { leerConstancia } from './constancia';
import type { LeerConstancia } from './publicoForm';

/** Somebody chooses the wrong file a few times; to read files for others is not what a link is for. */
const POR_ENLACE = { hits: 10, seconds: 3_600 };
const POR_DIRECCION = { hits: 40, seconds: 86_400 };

/** What came of reading it, for the page: what was found, in the form's own fields, or why there is nothing. */
export type ConstanciaLeida = { leida: true; faltan: string[]; regimenes: string[] } | { leida: false; texto: string };

const ESCRIBE = 'Escribe los datos a mano: vale igual.';
const TEXTOS = {
  limite: `Ese PDF es demasiado largo o complicado. Sube el que descargas del SAT. ${ESCRIBE}`,
  ilegible: `No se puede leer ese archivo. Sube el PDF que descargas del SAT, sin contraseña. ${ESCRIBE}`,
  imagen: `Ese PDF es una imagen y no tiene texto que leer. Sube el que descargas del SAT. ${ESCRIBE}`,
  otro: `Ese PDF no parece una Constancia de Situación Fiscal. ${ESCRIBE}`,
};

/** Reads the constancia and keeps nothing of it: what it says goes into the form, to be looked over and saved like anything typed. */
export async function leerConstanciaDe(
  db: Db,
  enlace: Pick<Enlace, 'id'>,
  { constancia, ...escrito }: LeerConstancia,
  ip: string,
): Promise<{ resultado: ConstanciaLeida; valores: Record<string, string> }> {
  for (const [key, limit] of [
    [`publico:constancia:enlace:${enlace.id}`, POR_ENLACE],
    [`publico:constancia:${ip}`, POR_DIRECCION],
  ] as const) {
    const taken = await takeRate(db, key, limit);
    if (!taken.allowed)
      throw new LimitReached(`Ya se leyeron varias constancias desde aquí. ${ESCRIBE}`, taken.retryAfterSeconds);
  }
  const { rfc = '', razonSocial = '', cp = '', regimen = '', email = '', email2 = '', usarRegistrado = '' } = escrito;
  const valores = { rfc, razonSocial, cp, regimen, email, email2, usarRegistrado };
  const no = (texto: string) => ({ resultado: { leida: false as const, texto }, valores });
  const pdf = await leerPdf(new Uint8Array(await constancia.arrayBuffer()));
  if (pdf.tipo !== 'leido') return no(TEXTOS[pdf.tipo]);
  const leida = leerConstancia(pdf.lineas);
  if (!leida) return no(pdf.lineas.length === 0 ? TEXTOS.imagen : TEXTOS.otro);
  const [unico, ...otros] = leida.regimenes;
  const hallado = {
    rfc: leida.rfc,
    razonSocial: leida.razonSocial,
    cp: leida.cp,
    // Of several the person says which.
    regimen: unico !== undefined && otros.length === 0 ? unico : '',
  };
  const faltan = [
    ...(leida.razonSocial === '' ? ['Razón Social'] : []),
    ...(leida.cp === '' ? ['Código postal'] : []),
    ...(unico === undefined ? ['Regimen a facturar'] : []),
  ];
  return { resultado: { leida: true, faltan, regimenes: leida.regimenes }, valores: { ...valores, ...hallado } };
}
