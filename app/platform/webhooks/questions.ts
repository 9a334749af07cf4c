import type { Question } from '~/core/fieldRules';

type Receptor = { nombre: string; url: string };

export function askRotateSecreto({ nombre, url }: Receptor): Question {
  return {
    titulo: 'Cambiar secreto',
    texto: `¿Cambiar el secreto de ${nombre}?`,
    hechos: `${url}. Durante 24 horas cada aviso lleva dos firmas: la del secreto nuevo y la del anterior.`,
  };
}

export function askRemoveReceptor({ nombre, url, pendientes }: Receptor & { pendientes: number }): Question {
  return {
    titulo: 'Quitar receptor',
    texto: `¿Esta seguro que desea quitar ${nombre}?`,
    hechos: `${url}. ${pendientes === 0 ? 'No tiene avisos pendientes.' : `Sus ${pendientes} avisos pendientes no se envían.`}`,
    destruye: true,
  };
}
