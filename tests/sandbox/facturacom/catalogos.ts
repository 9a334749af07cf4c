/** The SAT's catalogues: their valid keys, and the answers that hand them out. */
import { json, type SandboxResponse } from '../service';
import data from './data/catalogos.json';
import clavesUnidad from './data/clavesUnidad.json';

const ids = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id));

export const FORMAS_PAGO = ids(data.FormaPago);
export const METODOS_PAGO = ids(data.MetodoPago);
export const RELACIONES = ids(data.TipoRelacion);
export const PERIODICIDADES = ids(data.Periodicidad);
export const MESES = ids(data.Meses);
export const OBJETOS_IMP = ids(data.ObjetoImp);
export const IMPUESTOS = ids(data.Impuesto);
export const CLAVES_UNIDAD = new Set(clavesUnidad);
export const TIPOS_FACTOR = new Set(['Tasa', 'Cuota', 'Exento']);
/** Rates of IVA. Rates of other taxes are not checked. */
export const TASAS_IVA = new Set(['0.000000', '0.080000', '0.160000']);

export const REGIMENES = new Map(data.RegimenFiscal.map((regimen) => [regimen.id, regimen]));
export const USOS = new Map(data.UsoCFDI.map((uso) => [uso.id, uso]));

type Row = { id: string; texto: string };

const NAMES: Record<string, Row[]> = {
  Aduana: data.Aduana,
  ClaveUnidad: data.ClaveUnidad,
  FormaPago: data.FormaPago,
  Impuesto: data.Impuesto,
  MetodoPago: data.MetodoPago,
  Moneda: data.Moneda,
  Pais: data.Pais,
  RegimenFiscal: data.RegimenFiscal,
  Relacion: data.TipoRelacion,
};

/** Answers with a catalogue; undefined for a name that is none. */
export function catalogo(name: string): SandboxResponse | undefined {
  if (name === 'UsoCfdi') {
    return list(
      data.UsoCFDI.map((uso) => ({
        ...keyName(uso),
        use: uso.fisica && uso.moral ? 'ambos' : uso.fisica ? 'fisica' : 'moral',
      })),
    );
  }
  if (name === 'ClaveProductServ')
    return list(data.ClaveProdServ.map((clave) => ({ ...keyName(clave), complement: '' })));
  const rows = NAMES[name];
  return rows && list(rows.map(keyName));
}

const keyName = ({ id, texto }: Row) => ({ key: id, name: texto });
const list = (rows: unknown[]) => json(200, { response: 'success', data: rows });

export function nameOf(catalogue: 'FormaPago' | 'MetodoPago', id: string): string {
  return data[catalogue].find((row) => row.id === id)?.texto ?? '';
}
