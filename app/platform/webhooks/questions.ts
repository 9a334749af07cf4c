import type { Question } from '~/core/fieldRules';

type Receptor = { nombre: string; url: string };

/** The question before a receiver gets another secret. */
export function askRotateSecreto({ nombre, url }: Receptor): Question {
  return {
    titulo: 'Cambiar secreto',
    texto: `¿Cambiar el secreto de ${nombre}?`,
    hechos: `${url}. Durante 24 horas cada aviso lleva dos firmas: la del secreto nuevo y la del anterior.`,
  };
}

/** The question before a receiver is removed. */
export function askRemoveReceptor({ nombre, url, pendientes }: Receptor & { pendientes: number }): Question {
  return {
    titulo: 'Quitar receptor',
    texto: `¿Esta seguro que desea quitar ${nombre}?`,
    hechos: `${url}. ${pendientes === 0 ? 'No tiene avisos pendientes.' : `Sus ${pendientes} avisos pendientes no se envían.`}`,
    destruye: true,
  };
}
