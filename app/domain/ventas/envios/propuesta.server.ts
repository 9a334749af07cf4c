import { findCp } from '~/platform/direccion/codigosPostales.server';
import { guessOfLineas } from '~/platform/direccion/lineas';
import { CAMPOS_ENVIO } from '~/domain/ventas/ordenes/datosEnvio';
import type { Db } from '~db/client.server';

const PROPUESTOS = ['calle', 'numeroE', 'numeroI', 'colonia', 'referencia'] as const;
type Partes = Record<(typeof PROPUESTOS)[number], string | null>;
type Conocida = Partes & { cp: string | null };

/** Parts of an address for a person to confirm: what the form would hold, and the label and text of each part that would change. */
export type Propuesta = { partes: Partes; cambios: { campo: string; valor: string }[] };

/**
 * Returns what an address that came in lines would be, by the words of its lines and the neighbourhoods that our table knows of its postal code. Null where
 * number and neighbourhood are known, and where there is not even a guess of one that lacks.
 */
export async function proposeDireccion(db: Db, envio: Conocida): Promise<Propuesta | null> {
  const { calle, numeroE, numeroI, colonia, referencia, cp } = envio;
  if (calle === null || (numeroE !== null && colonia !== null)) return null;
  const hallazgo = colonia === null ? await findCp(db, cp ?? '', null) : null;
  const colonias = hallazgo?.tipo === 'encontrado' ? hallazgo.lugar.colonias : [];
  const dicha = guessOfLineas([numeroE === null ? calle : null, referencia], colonias);
  const partes: Partes = {
    calle: numeroE === null ? dicha.calle : calle,
    numeroE: numeroE ?? dicha.numeroE,
    numeroI: numeroI ?? dicha.numeroI,
    colonia: colonia ?? dicha.colonia,
    referencia: dicha.resto.join(', ') || null,
  };
  if (partes.numeroE === numeroE && partes.colonia === colonia) return null;
  const cambios = PROPUESTOS.filter((campo) => partes[campo] !== null && partes[campo] !== envio[campo]).map(
    (campo) => ({ campo: CAMPOS_ENVIO[campo], valor: partes[campo]! }),
  );
  return { partes, cambios };
}
