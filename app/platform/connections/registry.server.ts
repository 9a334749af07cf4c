import { amazon } from '~/domain/mercados/amz/conexion.server';
import { correo } from '~/domain/operacion/correo.server';
import { ct } from '~/domain/compras/directorio/ct.server';
import { cva } from '~/domain/compras/directorio/cva.server';
import type { FarSide } from './definition';
import { facturacom } from '~/domain/facturacion/cfdi/facturacom.server';
import { mercadolibre } from '~/domain/mercados/ml/conexion.server';
import { syscom } from '~/domain/compras/directorio/syscom.server';
import { ts } from '~/domain/compras/directorio/ts.server';
import { tvc } from '~/domain/compras/directorio/tvc.server';

/** Every far side, in the order of 'Activación de API'. A new one is its folder in `integrations`, its file here and its line below. */
const FAR_SIDES = [mercadolibre, amazon, facturacom, correo, syscom, ct, tvc, ts, cva] as const;
type Row = (typeof FAR_SIDES)[number];

export type ConnectionKind = Row['kind'];

/** What an effect may call, by role. Each is made with current credentials, and its exchanges go to the attempt's sealed record. */
export type Clients = { [Side in Row as Side['as']]: () => ReturnType<ReturnType<Side['open']>> };

/** Jobs named `effect.` by hand; a far side of that kind would take their name. */
const TAKEN = ['sweep'];

class Registry {
  readonly #sides = new Map<string, FarSide>();

  constructor(sides: readonly FarSide[]) {
    for (const side of sides) this.add(side);
  }

  /** Registers one more, until the returned function is called. */
  add(side: FarSide): () => void {
    if (TAKEN.includes(side.kind) || this.all().some(({ kind, as }) => kind === side.kind || as === side.as))
      throw new Error(`connection ${side.kind} (${side.as}) is taken`);
    this.#sides.set(side.kind, side);
    return () => this.#sides.delete(side.kind);
  }

  all(): FarSide[] {
    return [...this.#sides.values()];
  }

  /** Undefined for what an older version of this installation knew. */
  find(kind: string): FarSide | undefined {
    return this.#sides.get(kind);
  }

  of(kind: string): FarSide {
    const side = this.find(kind);
    if (!side) throw new Error(`no connection of kind ${kind}`);
    return side;
  }

  /** One of ours, by its kind: what a table or a form says, narrowed. */
  isKind(kind: string): kind is ConnectionKind {
    return this.#sides.has(kind);
  }
}

export const CONNECTIONS = new Registry(FAR_SIDES);
