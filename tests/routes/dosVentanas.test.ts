import { beforeAll, describe, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { hashPassword } from '~/domain/personal/internal/passwordHash.server';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { fromGuardado, requireDraft, saveDraft } from '~/domain/facturacion/emision/draft.server';
import { buildEnlace } from '../support/builders/enlaces';
import { buildBorrador, buildVenta, CLIENTES, REVISION } from '../support/builders/ventas';
import { openPac } from '../support/pac';
import { cookieOf, PASSWORD, Web } from '../support/web';

const { db, sa } = await openPac();
const [MARIA, , SOFIA] = CLIENTES;
let web: Web;
let cookie: string;

beforeAll(async () => {
  await db
    .updateTable('usuario')
    .set({ passwordHash: await hashPassword(PASSWORD) })
    .where('id', '=', sa.id)
    .execute();
  web = await Web.start();
  cookie = cookieOf(await web.login(sa.usuario));
}, 240_000);

const ENTITIES: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', '#x27': "'" };
const unescape = (html: string) => html.replace(/&(quot|amp|lt|gt|#x27);/g, (_, name: string) => ENTITIES[name]!);

/** The hidden fields of the form that stands for `intent`, and what the page says. */
function read(html: string, intent: string) {
  const form = html
    .split('<form')
    .find((part) => part.includes('name="intent"') && part.split('</form>')[0]!.includes(`value="${intent}"`))!
    .split('</form>')[0]!;
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return {
    fields: Object.fromEntries(hidden.map(([, name, value]) => [name!, unescape(value!)])),
    text: unescape(html.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<[^<>]+>/g, ' ')),
  };
}

/** A window: its page, and a press on what that page shows. */
async function open(path: string, intent: string, who?: string) {
  const page = read(await (await web.fetch(path, { cookie: who })).text(), intent);
  const press = async (fields: Record<string, string>) => {
    const answer = await web.post(path, { ...page.fields, intent, ...fields }, { cookie: who });
    return {
      status: answer.status,
      ...(answer.status === 302 ? { fields: {}, text: '' } : read(await answer.text(), intent)),
    };
  };
  return { ...page, press };
}

async function receptorElegido(draftId: string, rfc: string, usuario: Usuario) {
  const draft = await requireDraft(db, draftId, usuario);
  const [guardado] = await findClientes(db, rfc);
  await saveDraft(db, draft, { cliente: fromGuardado(rfc, guardado!, [guardado!], 'registro') });
}
const efectoDe = async (draftId: string) => {
  const { effectId } = await db
    .selectFrom('facturaDraft')
    .select('effectId')
    .where('id', '=', draftId)
    .executeTakeFirstOrThrow();
  return effectId;
};

describe('two windows of one sale', () => {
  test('do not stamp to the receiver of the other one: it is told, and the same press stamps what was seen', async () => {
    const { id } = await buildBorrador(db, await buildVenta(db), sa);
    const path = `/sa/facturacion?borrador=${id}&paso=3`;
    const window = await open(path, 'crear', cookie);
    expect(window.text).toContain(MARIA.razonSocial);
    await receptorElegido(id, SOFIA.rfc, sa);

    const refused = await window.press({ ...REVISION(), confirmado: '1' });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(new RegExp(`Receptor\\s+${MARIA.razonSocial}[^\\n]+${SOFIA.razonSocial}`));
    expect(await efectoDe(id)).toBeNull();

    const again = await web.post(
      path,
      { ...refused.fields, ...REVISION(), intent: 'crear', confirmado: '1' },
      { cookie },
    );
    expect(again.status).toBe(302);
    const { request } = await db
      .selectFrom('effect')
      .select('request')
      .where('id', '=', (await efectoDe(id))!)
      .executeTakeFirstOrThrow();
    expect(request).toMatchObject({ cfdi: { receptor: { rfc: SOFIA.rfc } } });
  });

  test('save no lines nor client over what the other one saved', async () => {
    const { id, articulos } = await buildBorrador(db, await buildVenta(db), sa);
    const [lineas, cliente] = [
      await open(`/sa/facturacion?borrador=${id}&paso=1`, 'articulos', cookie),
      await open(`/sa/facturacion?borrador=${id}&paso=2`, 'siguiente', cookie),
    ];
    await saveDraft(db, await requireDraft(db, id, sa), {
      articulos: articulos.map((articulo) => ({ ...articulo, nombre: 'Cámara PTZ' })),
    });
    const mia = {
      'articulos[0].nombre': 'Cámara mía',
      'articulos[0].codigoSat': '46171610',
      'articulos[0].cantidad': '1',
      'articulos[0].precioUnitario': '116.00',
    };
    const refused = await lineas.press(mia);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/Artículos\s+1 × Cámara IP[^\n]+1 × Cámara PTZ/);
    // What was typed is still in its field.
    expect(refused.text).toContain('Cámara mía');
    expect((await cliente.press({ intent: 'otro' })).status).toBe(422);
    expect((await requireDraft(db, id, sa)).cliente!.rfc).toBe(MARIA.rfc);

    const otra = await web.post(
      `/sa/facturacion?borrador=${id}&paso=1`,
      { ...refused.fields, ...mia, intent: 'articulos' },
      { cookie },
    );
    expect(otra.status).toBe(302);
    expect((await requireDraft(db, id, sa)).articulos[0]!.nombre).toBe('Cámara mía');
  });

  test('of a customer: neither a name of another list nor another receiver is taken', async () => {
    const { token } = await buildEnlace(db, await buildVenta(db));
    const path = `/facturacion/${token}`;
    const datos = { email: 'yo@correo.test', usarRegistrado: '' };
    const first = await open(path, 'guardar');
    const second = await open(path, 'guardar');
    const { rfc, razonSocial, cp, regimen } = MARIA;
    expect((await first.press({ ...datos, rfc, razonSocial, cp, regimen })).status).toBe(302);
    const late = await second.press({ ...datos, ...SOFIA });
    expect(late.status).toBe(422);
    expect(late.text).toContain(MARIA.razonSocial);

    const revision = await open(`${path}?paso=2`, 'crear');
    const otra = await web.post(path, { ...late.fields, ...datos, ...SOFIA, intent: 'guardar' });
    expect(otra.status).toBe(302);
    const refused = await revision.press({ usoCfdi: 'G03', confirmado: '1' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(SOFIA.razonSocial);
    expect(
      (await web.post(`${path}?paso=2`, { ...refused.fields, intent: 'crear', usoCfdi: 'G03', confirmado: '1' }))
        .status,
    ).toBe(302);
  });
});

describe('a pack of which one was cancelled after its lines were written', () => {
  test('says so, and «Actualizar artículos» takes them out without JavaScript', async () => {
    const venta = await buildVenta(db, { precios: ['100.00', '200.00'] });
    const { id } = await buildBorrador(db, venta, sa);
    const path = `/sa/facturacion?borrador=${id}&paso=3`;
    expect((await open(path, 'crear', cookie)).text).not.toContain('Actualizar artículos');
    await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', venta.ordenIds[1]!).execute();
    const window = await open(path, 'actualizarArticulos', cookie);
    expect(window.text).toContain('ya no se puede facturar');
    expect((await window.press({})).status).toBe(302);
    const draft = await requireDraft(db, id, sa);
    expect(draft.articulos.map(({ ordenId }) => ordenId)).toEqual([venta.ordenIds[0]]);
    expect((await open(path, 'crear', cookie)).text).not.toContain('Actualizar artículos');
  });
});
