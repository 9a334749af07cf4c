import { civilDay } from '~/core/time';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { fromGuardado, openDraft, requireDraft, saveDraft } from '~/domain/facturacion/emision/draft.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { savePacClient } from '~/domain/facturacion/receptores/internal/savePacClient.server';
import type { Rol, Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';

let people = 0;
let sales = 0;

/** Somebody who may look at screens in a test; nobody can sign in as them. */
export async function buildPersona(db: Db, rol: Rol = 'admin'): Promise<Usuario> {
  return (await db
    .insertInto('usuario')
    .values({
      usuario: `quien-factura-${++people}`,
      nombre: 'Quien',
      apellidos: 'Factura',
      email: 'quien@trastienda.test',
      rol,
      passwordHash: '-',
    })
    .returning(['id', 'usuario', 'nombre', 'apellidos', 'email', 'rol', 'activo'])
    .executeTakeFirstOrThrow()) as Usuario;
}

export type Venta = { numOrden: string; ordenIds: string[]; total: string };

/** A paid sale of `precios.length` ordenes under one number, one articulo each, as Mercado Libre leaves it. */
export async function buildVenta(db: Db, { precios = ['116.00'] }: { precios?: string[] } = {}): Promise<Venta> {
  const numOrden = `2000${String(770_000_000_000 + ++sales * 100)}`;
  const now = new Date();
  const rows = await db
    .insertInto('orden')
    .values(
      precios.map((precio, at) => ({
        market: 'ml' as const,
        marketId: at === 0 ? numOrden : `${numOrden.slice(0, -2)}${String(at).padStart(2, '0')}`,
        numOrden,
        packId: precios.length > 1 ? numOrden : null,
        fechaCreacion: now,
        actualizadaEn: now,
        estatus: 'enPreparacion' as const,
        marketStatus: 'paid',
        situacion: 'pagada' as const,
        clase: 'normal' as const,
        titulo: 'Cámara IP de 2 megapíxeles',
        total: precio,
        pagadoAbs: precio,
        comision: '0.00',
        formaPago: '04',
        datos: '{}',
      })),
    )
    .returning('id')
    .execute();
  const ordenIds = rows.map(({ id }) => id);
  await db
    .insertInto('articulo')
    .values(
      ordenIds.map((ordenId, at) => ({
        ordenId,
        posicion: 0,
        nombre: 'Cámara IP de 2 megapíxeles',
        sku: `AMS|CAM|SYSCOM|IP2MP${at}`,
        cantidad: 1,
        importe: precios[at]!,
        precioUnitario: precios[at]!,
        comision: '0.00',
      })),
    )
    .execute();
  const cents = precios.reduce((sum, precio) => sum + Math.round(Number(precio) * 100), 0);
  return { numOrden, ordenIds, total: (cents / 100).toFixed(2) };
}

/** Taxpayers in the sandbox's register; the & and the Ñ have more than one way to travel. */
export const CLIENTES = [
  { rfc: 'RAOF850412K20', razonSocial: 'MARIA FERNANDA RAMIREZ OCHOA', cp: '06600', regimen: '612' },
  { rfc: 'P&M1207027V4', razonSocial: 'PEREZ & MENDIOLA ASOCIADOS', cp: '11000', regimen: '601' },
  { rfc: 'NUPS910117QX5', razonSocial: 'SOFIA NUÑEZ PEÑA', cp: '44100', regimen: '626' },
] as const;

/** The tax data of CLIENTES, kept at the PAC and here by the effect that does so. */
export async function buildClientes(db: Db) {
  for (const cliente of CLIENTES) {
    const request = {
      cliente: { ...cliente, emails: [`${cliente.rfc.slice(0, 3).replace('&', '')}@correo.test`] },
      uid: null,
    };
    const { id } = await db.transaction().execute((trx) => acceptEffect(trx, savePacClient, { request }));
    // On a busy machine an answer may be late, and the call waits for its next turn.
    await runEffect(effectRuntime(db), id);
    for (let tries = 0; tries < 5 && (await effectView(db, id))?.state === 'queued'; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await runEffect(effectRuntime(db), id);
    }
    const saved = await effectView(db, id);
    if (saved?.state !== 'done')
      throw new Error(`the PAC did not keep ${cliente.rfc}: ${saved?.state} ${saved?.reason ?? ''}`);
  }
}

export const REVISION = () => ({ formaPago: '04', usoCfdi: 'G03', fecha: civilDay(new Date()) });

/** The stepper of a sale with everything saved: only 'Crear Factura' is left. */
export async function buildBorrador(db: Db, { numOrden }: Venta, usuario: Usuario, rfc: string = CLIENTES[0].rfc) {
  const id = await openDraft(db, numOrden, usuario.id);
  const draft = await requireDraft(db, id, usuario);
  const [guardado] = await findClientes(db, rfc);
  await saveDraft(db, draft, { cliente: fromGuardado(rfc, guardado!, [guardado!], 'registro') });
  return requireDraft(db, id, usuario);
}
