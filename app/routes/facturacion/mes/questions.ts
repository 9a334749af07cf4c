import { writeCount } from '~/core/count';
import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import type { Money } from '~/core/money';
import { nombreOfMes } from '~/core/time';
import { TABLAS, type Mes, type Tabla } from '~/domain/facturacion/mes/mes';
import { formatPesos } from '~/ui/Pesos';

/** The question before a batch begins. A month that still runs will have later sales, which go into another global. */
export function questionOf(
  tabla: Tabla,
  mes: Mes,
  enCurso: boolean,
  { registros, total }: { registros: number; total: Money | string },
): Question {
  const { boton, titulo } = TABLAS[tabla];
  const hechos = enLinea(
    nombreOfMes(mes),
    registros === 1 ? '1 venta' : `${writeCount(registros)} ventas`,
    formatPesos(total),
  );
  if (tabla !== 'ordenes')
    return {
      titulo: boton,
      texto: `¿Estas seguro de generar las notas de credito de ${titulo} de ${nombreOfMes(mes)}?`,
      hechos,
    };
  const aviso = enCurso ? ' El mes no ha terminado: las ventas que falten irán en otra factura.' : '';
  return {
    titulo: boton,
    texto: `¿Estas seguro de generar la factura general de ${nombreOfMes(mes)}?${aviso}`,
    hechos,
  };
}

const NOTAS = {
  listo: { titulo: 'Notas Creadas Correctamente', texto: 'Las notas de credito se generaron correctamente' },
  fallo: 'Error al Crear Notas de Credito.',
};

/** The agreed text after each batch. */
export const AL_TERMINAR: Record<Tabla, { listo: { titulo?: string; texto: string }; fallo: string }> = {
  ordenes: { listo: { texto: 'La factura Se genero correctamente' }, fallo: 'Error al facturar.' },
  refacturacion: NOTAS,
  devueltas: NOTAS,
  parciales: NOTAS,
};
