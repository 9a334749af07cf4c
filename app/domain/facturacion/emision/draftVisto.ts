import { z } from 'zod';
import { cambiosEntre, writeMostrado, type Choque, type Mostrado } from '~/core/choque';
import { MostradoForm, Version } from '~/core/fields';
import { Money } from '~/core/money';
import { etiquetaEn } from '~/domain/facturacion/sat/opciones';
import { REGIMENES } from '~/domain/facturacion/sat/sat';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import type { DraftCliente } from './draft';

/** What every form of a draft carries: which state of it the screen showed, and what that said. */
export const visto = { version: Version, mostrado: MostradoForm };
export const Visto = z.object(visto);
export type Visto = z.infer<typeof Visto>;

type Contenido = { articulos: readonly Articulo[]; cliente: DraftCliente | null };

/**
 * What a look-up left that found nobody. Whoever typed on meanwhile and saves that very RFC writes over their own look-up, and has missed nothing.
 */
export const isSoloBuscado = (cliente: DraftCliente | null, rfc: string): boolean =>
  cliente?.modo === 'nuevo' && cliente.rfc === rfc && cliente.razonSocial === '';

/** A draft in the words of the screen: to whom, what, how much. */
export function mostradoOf({ articulos, cliente }: Contenido): Mostrado {
  return {
    Receptor: cliente ? receptorEnPalabras(cliente) : '',
    Correo: cliente?.emails.join(', ') ?? '',
    ...articulosEnPalabras(articulos),
  };
}

export function receptorEnPalabras({
  rfc,
  razonSocial,
  cp,
  regimen,
}: Pick<DraftCliente, 'rfc' | 'razonSocial' | 'cp' | 'regimen'>): string {
  return [razonSocial, rfc, cp && `C.P. ${cp}`, regimen && etiquetaEn(REGIMENES, regimen)].filter(Boolean).join(' · ');
}

export function articulosEnPalabras(articulos: readonly Articulo[]): Mostrado {
  return {
    Artículos: articulos
      .map(({ cantidad, nombre, codigoSat, importe }) => `${cantidad} × ${nombre} (${codigoSat}) $${importe}`)
      .join('; '),
    Total: `$${Money.sum(articulos.map(({ importe }) => Money.of(importe))).toFixed(2)}`,
  };
}

/** The hidden fields of a screen that shows `mostrado`. */
export const marcasOf = (version: number, mostrado: Mostrado) => ({ version, mostrado: writeMostrado(mostrado) });

/** What moved, for whoever saw `antes`. */
export const choqueOf = (version: number, { antes, ahora }: { antes: Mostrado; ahora: Mostrado }): Choque => ({
  cambios: cambiosEntre(antes, ahora),
  marcas: marcasOf(version, ahora),
});
