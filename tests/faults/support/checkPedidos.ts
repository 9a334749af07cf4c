import { sql } from 'kysely';
import { expect } from 'vitest';
import { unresolved } from '~/platform/effects/resolve.server';
import type { Db } from '~db/client.server';
import { PROVEEDORES, type ProveedorDePrueba } from '../../support/builders/pedidos';
import type { SandboxClient } from '../../support/sandboxClient';

type Alla = { folio: string; referencia: string };
const LETRA = ['tvc', 'ts'];

/** What every pedido of ours and every order there came to. `tablero`: those that wait for people, who see them. */
export type CuentaDePedidos = {
  pedidos: number;
  hechos: number;
  rechazados: number;
  tablero: number;
  doblados: number;
  perdidos: number;
  fueraDelTablero: number;
  repetidos: number;
};

/**
 * What must hold after every run, whatever happened in it: no sale bought twice, nothing bought that is not known here or in front of people, nothing that is believed bought and is
 * not, and no call of those that are never repeated that left twice by itself.
 */
export async function expectPedidosEnOrden(db: Db, sandbox: SandboxClient): Promise<CuentaDePedidos> {
  const [pedidos, board] = await Promise.all([
    db.selectFrom('pedido').select(['id', 'numero', 'folio', 'proveedor', 'estado', 'via', 'folioProveedor']).execute(),
    unresolved(db)
      .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
      .where('effectSubject.entidad', '=', 'pedido')
      .select('effectSubject.entidadId as pedidoId')
      .execute(),
  ]);
  const onBoard = new Set(board.map(({ pedidoId }) => pedidoId));
  const doblados: string[] = [];
  const perdidos: string[] = [];
  for (const proveedor of PROVEEDORES) {
    const ours = pedidos.filter((one) => one.proveedor === proveedor);
    const alla = await allaDe(sandbox, proveedor, ours);
    for (const pedido of ours) {
      const suyos = alla.get(referenciaDe(pedido)) ?? [];
      alla.delete(referenciaDe(pedido));
      const nombre = `${pedido.proveedor} ${pedido.folio} ${pedido.estado}: ${suyos.join(', ') || 'nada'}`;
      if (suyos.length > 1) doblados.push(nombre);
      const known = pedido.via === 'correo' ? pedido.estado === 'solicitado' : pedido.folioProveedor !== null;
      if (known && (suyos.length === 0 || (pedido.via === 'api' && !suyos.includes(pedido.folioProveedor!))))
        perdidos.push(`aquí y no allá: ${nombre}`);
      if (!known && suyos.length > 0 && !onBoard.has(pedido.id)) perdidos.push(`allá y no aquí: ${nombre}`);
    }
    perdidos.push(...[...alla.keys()].map((referencia) => `${proveedor} ${referencia}: de nadie`));
  }
  const sinAclarar = pedidos.filter(({ id, estado }) => ['enviando', 'incierto'].includes(estado) && !onBoard.has(id));
  const repetidos = await enviadosDeMas(db);
  expect(doblados, 'bought twice').toEqual([]);
  expect(perdidos, 'lost').toEqual([]);
  expect(sinAclarar, 'unclear and not on the board').toEqual([]);
  expect(repetidos, 'never repeated by itself, and sent twice').toEqual([]);
  return {
    pedidos: pedidos.length,
    hechos: pedidos.filter(({ folioProveedor, estado }) => folioProveedor !== null || estado === 'solicitado').length,
    rechazados: pedidos.filter(({ estado }) => estado === 'rechazado').length,
    tablero: onBoard.size,
    doblados: doblados.length,
    perdidos: perdidos.length,
    fueraDelTablero: sinAclarar.length,
    repetidos: repetidos.length,
  };
}

const referenciaDe = ({ proveedor, numero, folio }: { proveedor: string; numero: number; folio: string }) =>
  proveedor === 'ct' ? String(numero) : folio;

/** By reference, the folios there; of suppliers that get letters, the Message-ID of every different one. */
async function allaDe(
  sandbox: SandboxClient,
  proveedor: ProveedorDePrueba,
  ours: readonly { folio: string }[],
): Promise<Map<string, string[]>> {
  if (!LETRA.includes(proveedor)) {
    const alla = await sandbox.proveedor(proveedor).get<Alla[]>('/pedidos');
    return porReferencia(alla.map(({ referencia, folio }) => [referencia, folio]));
  }
  const inbox = await sandbox.correo.inbox();
  const found: [string, string][] = [];
  for (const { folio } of ours)
    for (const { id, subject } of inbox.filter((mail) => mail.subject.startsWith(`Pedido ${folio} `)))
      found.push([folio, /^Message-ID:\s+(\S+)/im.exec(await sandbox.correo.raw(id))?.[1] ?? subject]);
  return porReferencia(found);
}

function porReferencia(found: readonly (readonly [string, string])[]): Map<string, string[]> {
  const by = new Map<string, string[]>();
  for (const [referencia, folio] of found) by.set(referencia, [...new Set([...(by.get(referencia) ?? []), folio])]);
  return by;
}

/** Creates and confirmations of which more than one call may have reached the supplier. */
async function enviadosDeMas(db: Db): Promise<string[]> {
  const { rows } = await sql<{ que: string }>`
    select e.type || ' ' || e.ref as que from effect e
    where (e.type like 'pedido.crear.%' or e.type like 'pedido.confirmar.%') and (
      select count(*) from effect_attempt s where s.effect_id = e.id and s.kind = 'send' and s.phase = 'started' and not exists (
        select from effect_attempt d where d.effect_id = s.effect_id and d.owner = s.owner and d.phase = 'ended' and d.outcome in ('not-sent', 'account', 'refused'))) > 1`.execute(
    db,
  );
  return rows.map(({ que }) => que);
}
