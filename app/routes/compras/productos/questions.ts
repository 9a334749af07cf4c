import type { Question } from '~/core/fieldRules';
import { enLinea, hechosOf } from '~/core/hechos';
import { nombreCorto } from '~/domain/compras/catalogo/producto';

type Cual = { nombre: string | null; proveedorLabel: string; modelo: string | null; idProveedor: string };

/** The two stand apart afterwards in the finder and in prices that are compared. */
export function askSeparatePieza(
  producto: Pick<Cual, 'nombre' | 'proveedorLabel'>,
  otro: { label: string; modelo: string | null; idProveedor: string },
): Question {
  return {
    titulo: 'No es la misma pieza',
    texto: '¿Esta seguro que no es la misma pieza?',
    hechos: hechosOf(
      `${enLinea(nombreCorto(producto.nombre), producto.proveedorLabel)}.`,
      `La otra: ${enLinea(otro.label, otro.modelo ?? otro.idProveedor)}.`,
    ),
  };
}

/** Sold pieces of this product are bought automatically from then on, so the question tells that. */
export function askChangeAutoOrden(producto: Cual, activar: boolean): Question {
  const verbo = activar ? 'Activar' : 'Desactivar';
  return {
    titulo: `${verbo} el auto orden`,
    texto: `¿Esta seguro que desea ${verbo.toLowerCase()} el auto orden?`,
    hechos: hechosOf(
      `${enLinea(nombreCorto(producto.nombre), producto.proveedorLabel, producto.modelo ?? producto.idProveedor)}.`,
      activar ? 'Lo que se venda se pide solo al proveedor.' : 'Lo que se venda lo pide una persona.',
    ),
  };
}
