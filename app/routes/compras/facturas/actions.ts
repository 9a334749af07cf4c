import type { Action as Right } from '~/access/actions';
import { NotAllowed } from '~/core/errors';
import { withParams } from '~/core/list';
import { defineRows, outcome } from '~/http/actions.server';
import { noteFacturado } from '~/domain/compras/pedidos/pedidos.server';
import { applyReparto, discardCfdi, receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { countPorRelacionar } from '~/domain/compras/facturas/notas.server';
import {
  NewProveedorFactura,
  ProveedorFacturaEditada,
  ProveedorFacturaEliminada,
  Reparto,
  CfdiVisto,
} from '~/domain/compras/facturas/forms';
import {
  askFactura,
  createProveedorFactura,
  deleteProveedorFactura,
  readProveedorFactura,
  updateProveedorFactura,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import { XmlSubido } from '~/platform/files/xmlSubido';
import { subidosOf } from '~/platform/files/xmlSubidos.server';
import { labelOf } from '~/domain/compras/directorio/proveedor';
import { listProveedorOptions } from '~/domain/compras/directorio/proveedores.server';
import { ABRE, askCero, editFactura, loLeido, removeFactura, type XmlLeido } from './textos';

/** The actions on the supplier invoices of a sale. `param` is the field of the address that opens the dialog, `right` the right that its documents need. */
export const proveedorFacturaActions = (param: string = ABRE, right: Right = 'proveedorFacturas.agregar') =>
  defineRows({
    agregarFactura: {
      schema: NewProveedorFactura,
      right,
      confirm: async (db, factura) =>
        (await askFactura(db, { ...factura, ventas: [factura.ordenId] })) ?? askCero(factura),
      commit: async (trx, factura, usuario) => {
        await createProveedorFactura(trx, factura, usuario.id, { rfc: true });
        await noteFacturado(trx, factura, usuario.id);
      },
      to: ({ cfdi }, { search }) => {
        const rest = withoutCfdi(search, cfdi);
        return rest
          ? withParams(search, { cfdi: rest })
          : withParams(search, { [param]: null, editar: null, cfdi: null });
      },
      aviso: 'Se agrego la factura correctamente.',
    },
    editarFactura: {
      schema: ProveedorFacturaEditada,
      right: 'proveedorFacturas.editar',
      confirm: async (db, { id, ...despues }) => {
        const antes = await readProveedorFactura(db, id);
        if (!antes) return null;
        const proveedorLabel = labelOf(await listProveedorOptions(db), despues.proveedor);
        return editFactura({ ...antes, monto: antes.monto.toFixed(2) }, { ...despues, proveedorLabel });
      },
      commit: (trx, factura, usuario) => updateProveedorFactura(trx, factura, usuario.id),
      to: (_, { search }) =>
        withParams(search, new URLSearchParams(search).has('editar') ? { editar: null } : { [param]: null }),
      aviso: 'Se edito la factura correctamente.',
    },
    eliminarFactura: {
      schema: ProveedorFacturaEliminada,
      right: 'proveedorFacturas.editar',
      confirm: async (db, { id }) => {
        const factura = await readProveedorFactura(db, id);
        return factura ? removeFactura(factura) : null;
      },
      commit: (trx, factura, usuario) => deleteProveedorFactura(trx, factura, usuario.id),
      to: ({ id }, { search }) => {
        const open = new URLSearchParams(search).get(param) === id;
        return withParams(search, { editar: null, ...(open && { [param]: null }) });
      },
      aviso: 'Se elimino la factura correctamente.',
    },
    /**
     * The ids of read documents stay in the address, so that the page can be reloaded. For a document that could not be read the page shows the reason, with
     * links to the others.
     */
    subirXml: {
      schema: XmlSubido,
      right,
      commit: async (trx, { xml }, usuario, { search }) => {
        const recibidos = await receiveCfdis(trx, await subidosOf(xml), usuario.id);
        const { leidos, facturas, rechazados } = recibidos;
        const dicho = loLeido(recibidos, await countPorRelacionar(trx, recibidos.notas));
        const motivos = rechazados.map(({ nombre, motivo }) => `${nombre}: ${motivo}`).join(' ');
        if (rechazados.length > 0 && leidos.length === 0) throw new NotAllowed('Error de carga.', motivos);
        if (rechazados.length > 0)
          return outcome({ resultado: { leidos: facturas, dicho, motivos } satisfies XmlLeido });
        return outcome({
          aviso: dicho,
          to: withParams(search, { cfdi: facturas.join(',') || null, editar: null }),
        });
      },
    },
    repartirXml: {
      schema: Reparto,
      right,
      confirm: (db, reparto) => askFactura(db, { ...reparto, ventas: reparto.filas.map(({ orden }) => orden) }),
      commit: async (trx, reparto, usuario) => {
        const count = await applyReparto(trx, reparto, usuario.id, { rfc: true });
        await noteFacturado(trx, reparto, usuario.id);
        const donde = count === 1 ? '' : ` a ${count} ordenes`;
        return outcome({ aviso: `Se agrego la factura correctamente${donde}.` });
      },
      to: ({ cfdi }, { search }) => withParams(search, { cfdi: withoutCfdi(search, cfdi) || null }),
    },
    descartarXml: {
      schema: CfdiVisto,
      right,
      commit: (trx, cfdi, usuario) => discardCfdi(trx, cfdi, usuario.id),
      to: ({ cfdi }, { search }) => withParams(search, { cfdi: withoutCfdi(search, cfdi) || null }),
    },
  });

/** Returns the documents of the address that are still to be looked at once `done` is done. */
const withoutCfdi = (search: string, done: string | undefined) =>
  (new URLSearchParams(search).get('cfdi') ?? '')
    .split(',')
    .filter((id) => id !== '' && id !== done)
    .join(',');
