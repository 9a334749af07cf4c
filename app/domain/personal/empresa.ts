import type { Question } from '~/core/fieldRules';
import { hechosOf } from '~/core/hechos';

/** What is asked before a company changes its status; of an integration, with what follows from it. */
export function preguntaEstatus({
  nombre,
  activo,
  conexion,
  enEspera,
}: {
  nombre: string;
  /** As it is now. */ activo: boolean;
  conexion: string | null;
  /** Calls to it that have not been answered. */ enEspera: number;
}): Question {
  const sigue =
    conexion === null
      ? ''
      : activo
        ? ' Es una integración: sus sincronizaciones y sus envíos quedan en pausa hasta que se active otra vez.'
        : ' Es una integración: sus sincronizaciones y lo que esperaba por enviarse continúan de inmediato.';
  return {
    titulo: activo ? 'Desactivar empresa' : 'Activar empresa',
    texto: `¿Esta seguro que desea ${activo ? 'desactivar' : 'activar'} la empresa ${nombre}?${sigue}`,
    hechos: hechosOf(
      `Estatus: de ${activo ? 'Activa a Inactiva' : 'Inactiva a Activa'}.`,
      conexion !== null && (enEspera === 1 ? '1 solicitud en espera.' : `${enEspera} solicitudes en espera.`),
    ),
  };
}
