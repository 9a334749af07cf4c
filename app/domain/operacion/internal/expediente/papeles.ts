import { enLinea } from '~/core/hechos';
import { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import { ESTADO_CANCELACION } from '~/domain/facturacion/cancelacion/cancelacion';
import { nombreOf } from '~/domain/facturacion/cfdi/documento';
import { ESTADO_LABEL, isVivo } from '~/domain/compras/pedidos/pedido';
import { MERCADOS } from '~/domain/mercados/mercados';
import { ACORDADA, estatusLabel } from '~/domain/ventas/ordenes/estatus';
import { estatusOfEnvio, rastreoUrl } from '~/domain/ventas/envios/envio';
import { TIPOS, isTipo } from '~/platform/files/tipos';
import { contados, dia, fechaHora, pesos } from './palabras';
import type { CfdiEntero, Venta } from './ventas.server';

/** A stored file with the name that it has in the ZIP, before the number of its sale. `comun`: the folder of a document of several sales. */
export type Archivado = { archivoId: string; nombre: string; fecha: Date; comun?: string };

/** Something that is there: told in words, and kept as a file or not. */
export type Hay = { texto: string; archivo?: Archivado };

/** Something that is missing, and how to get it. `fuera`: the product never keeps it, so no work here brings it. */
export type Falta = { que: string; como: string; url?: string; fuera?: true };

/** One kind of proof of a sale: what is there, what is missing, and why nothing is needed where neither is. */
export type Papel = { titulo: string; hay: Hay[]; falta: Falta[]; porque: string };

/** A kind of proof with the places of its files in the ZIP. */
export type PapelPuesto = Omit<Papel, 'hay'> & { hay: readonly (Hay & { ruta: string | null })[] };

/** How a kind of proof stands. */
export type EstadoDePapel = 'está' | 'falta' | 'fuera' | 'no aplica';

export function estadoOf({ hay, falta }: { hay: readonly Hay[]; falta: readonly Falta[] }): EstadoDePapel {
  if (falta.some(({ fuera }) => !fuera)) return 'falta';
  if (hay.length > 0) return 'está';
  return falta.length > 0 ? 'fuera' : 'no aplica';
}

/** The kinds of proof, in the order in which they are told. */
const REGLAS: readonly [titulo: string, rule: (venta: Venta) => Omit<Papel, 'titulo'>][] = [
  ['Cobro del mercado', cobroOf],
  ['Guía', guiaOf],
  ['Prueba de entrega', entregaOf],
  ['Pedido al proveedor', pedidoOf],
  ['CFDI del proveedor', cfdiDeProveedorOf],
  ['Pago al proveedor', pagoDeProveedorOf],
  ['CFDI del cliente', cfdiDeClienteOf],
  ['Notas de crédito', notasOf],
  ['Cancelaciones', cancelacionesOf],
  ['Mensajes', mensajesOf],
];

/** Titles of all kinds of proof. */
export const TITULOS: readonly string[] = REGLAS.map(([titulo]) => titulo);

/** Returns what is there of a sale and what is missing, kind by kind. */
export const papelesOf = (venta: Venta): Papel[] => REGLAS.map(([titulo, rule]) => ({ titulo, ...rule(venta) }));

/** True for a sale that came to nothing: what was not done for it is not missing. */
const volvio = ({ clase }: Venta) => clase === 'cancelada' || clase === 'devuelta';
const enMercado = ({ market, numOrden }: Venta) => ({
  label: MERCADOS[market].label,
  url: MERCADOS[market].ventaUrl(numOrden),
});

const pdfOf = (que: string) => `${que}.pdf`;
const xmlOf = (que: string) => `${que}.xml`;

/** Returns the ending of a stored file by its type; the one of its name for a type that people do not send. */
const extensionOf = (tipo: string | null) => (tipo !== null && isTipo(tipo) ? TIPOS[tipo].extension : 'bin');

function cobroOf(venta: Venta): Omit<Papel, 'titulo'> {
  const { movimientos } = venta;
  const { label } = enMercado(venta);
  if (movimientos.length === 0)
    return {
      hay: [],
      falta: venta.pagadoAbs.isZero()
        ? []
        : [
            {
              que: `liquidación de ${label}`,
              como: 'Se trae sola de los reportes de liquidación. Conciliación dice cuáles faltan.',
            },
          ],
      porque: 'Nadie pagó esta venta.',
    };
  const depositos = new Map(movimientos.flatMap((one) => (one.depositoId === null ? [] : [[one.depositoId, one]])));
  const suma = Money.sum(movimientos.map(({ importe }) => importe));
  return {
    hay: [
      { texto: `${contados(movimientos.length, 'movimiento', 'movimientos')} por ${pesos(suma)}` },
      ...[...depositos.values()].map(({ deposito, depositadoEn, depositado }) => ({
        texto: `Depósito ${deposito} del ${fechaHora(depositadoEn)} por ${pesos(depositado)}, con otras ventas`,
      })),
    ],
    falta:
      depositos.size > 0
        ? []
        : [
            {
              que: 'depósito que pagó esta venta',
              como: 'Se sabe al leer el reporte que lo cuenta. Míralo en Conciliación.',
            },
          ],
    porque: '',
  };
}

function guiaOf(venta: Venta): Omit<Papel, 'titulo'> {
  const { envio, guias } = venta;
  const { label, url } = enMercado(venta);
  if (!envio)
    return venta.acordada || volvio(venta)
      ? { hay: [], falta: [], porque: venta.acordada ? `${ACORDADA}: no lleva guía.` : 'No llegó a enviarse.' }
      : { hay: [], falta: [{ que: 'envío de la venta', como: `Búscalo en ${label}.`, url }], porque: '' };
  if (envio.tipoLogistico === 'fulfillment')
    return {
      hay: envio.guia ? [{ texto: `Guía ${envio.guia}` }] : [],
      falta: [],
      porque: `La venta sale del almacén de ${label}.`,
    };
  const numero = envio.guia ?? guias.at(-1)?.numero ?? null;
  const kept = guias.flatMap(({ archivoId, ...guia }) => (archivoId === null ? [] : [{ ...guia, archivoId }]));
  const hay: Hay[] = kept.map((guia) => ({
    texto: enLinea(`Guía ${guia.numero}`, guia.paqueteria),
    archivo: {
      archivoId: guia.archivoId,
      nombre: `guía ${guia.numero}.${extensionOf(guia.tipo)}`,
      fecha: guia.creadaEn,
    },
  }));
  if (numero !== null && !kept.some((guia) => guia.numero === numero))
    hay.push({ texto: enLinea(`Número de guía ${numero}`, envio.paqueteria) });
  const falta: Falta[] = [];
  if (numero === null && !volvio(venta))
    falta.push({ que: 'número de guía', como: 'Escríbelo en la venta, o espera a que el mercado lo diga.' });
  else if (numero !== null && kept.length === 0)
    falta.push({ que: `archivo de la guía ${numero}`, ...comoSeTrae(venta, guias.length > 0) });
  return { hay, falta, porque: 'No llegó a enviarse.' };
}

function comoSeTrae(venta: Venta, retirada: boolean): Pick<Falta, 'como' | 'url'> {
  const { label, url } = enMercado(venta);
  if (retirada) return { como: 'Se retiró al vencer su plazo de conservación; queda su número.' };
  if (venta.envio?.propio) return { como: `Pídela a ${venta.envio.paqueteria ?? 'la paquetería'}.` };
  return { como: `Si ${label} aún la imprime, tráela desde la venta; si no, descárgala allá.`, url };
}

const ENTREGADO = new Set(['delivered', 'entregado']);

function entregaOf(venta: Venta): Omit<Papel, 'titulo'> {
  const { envio, estados } = venta;
  const { label } = enMercado(venta);
  const estado = envio ? estatusOfEnvio(envio) : venta.estatus;
  const entregada = ENTREGADO.has(estado) || ENTREGADO.has(venta.estatus);
  const rastreo = envio && rastreoUrl({ ...envio, market: venta.market, numOrden: venta.numOrden });
  if (entregada) {
    const paso = estados.findLast(({ despues }) => ENTREGADO.has(despues));
    const cuando = paso ? `el ${fechaHora(paso.en)}` : envio && `leído el ${fechaHora(envio.actualizadoEn)}`;
    return {
      hay: [{ texto: enLinea('Entregado', envio && !envio.propio && `según ${label}`, cuando) }],
      falta: rastreo
        ? [
            {
              que: 'acuse de entrega de la paquetería',
              como: 'No se guarda aquí: pídelo a la paquetería.',
              url: rastreo,
              fuera: true,
            },
          ]
        : [],
      porque: '',
    };
  }
  if (volvio(venta)) return { hay: [], falta: [], porque: `La venta no se sostuvo: ${estatusLabel(estado)}.` };
  const dice = `El estado es «${estatusLabel(estado)}».`;
  return {
    hay: [],
    falta: [
      rastreo
        ? { que: 'prueba de entrega', como: `${dice} Pide el acuse a la paquetería.`, url: rastreo }
        : { que: 'prueba de entrega', como: `${dice} Pide al comprador que confirme que lo recibió.` },
    ],
    porque: '',
  };
}

/** Tells whether the sale left from our own stock: the proof of the purchase is that of the piece. */
const deStock = ({ piezas }: Venta) => piezas.length > 0;

function pedidoOf(venta: Venta): Omit<Papel, 'titulo'> {
  const vivos = venta.pedidos.filter(({ estado }) => isVivo(estado));
  const hay: Hay[] = [
    ...venta.pedidos.map(({ folio, folioProveedor, proveedor, estado }) => ({
      texto: enLinea(
        `Pedido ${folio} a ${proveedor}`,
        folioProveedor && `su folio ${folioProveedor}`,
        ESTADO_LABEL[estado],
      ),
    })),
    ...venta.piezas.map(({ folio }) => ({ texto: `Salió del stock interno: pieza ${folio}` })),
  ];
  const falta: Falta[] =
    vivos.length > 0 || deStock(venta) || volvio(venta)
      ? vivos
          .filter(({ folioProveedor }) => folioProveedor === null)
          .map(({ folio, proveedor }) => ({
            que: `folio de ${proveedor} del pedido ${folio}`,
            como: 'Anótalo en Ordenes por confirmar.',
          }))
      : [
          {
            que: 'pedido al proveedor',
            como: 'No se pidió desde aquí: pide al proveedor su confirmación de la compra.',
          },
        ];
  return { hay, falta, porque: 'No se pidió nada para esta venta.' };
}

function cfdiDeProveedorOf(venta: Venta): Omit<Papel, 'titulo'> {
  const hay: Hay[] = [];
  const falta: Falta[] = [];
  for (const { archivoId, folio, proveedor, uuid, monto, fechaCreacion } of venta.compras) {
    const que = `factura ${folio} de ${proveedor}`;
    if (archivoId === null)
      falta.push({
        que: `CFDI del proveedor (${que})`,
        como: `Se anotó sin su XML. Pídelo a ${proveedor} y súbelo en Facturas de proveedores.`,
      });
    else
      hay.push({
        texto: enLinea(`XML de la ${que}`, pesos(monto), uuid && `UUID ${uuid}`),
        archivo: { archivoId, nombre: xmlOf(`CFDI proveedor ${proveedor} ${folio}`), fecha: fechaCreacion },
      });
  }
  for (const { folio, facturaFolio, facturaId, proveedor, tipo, creadaEn } of venta.piezas) {
    const que = enLinea(`Factura de la pieza ${folio}`, proveedor, facturaFolio);
    if (facturaId === null)
      falta.push({
        que: `factura de compra de la pieza ${folio}`,
        como: enLinea(
          'Súbela en Stock Interno',
          proveedor && `la da ${proveedor}`,
          facturaFolio && `folio ${facturaFolio}`,
        ),
      });
    else
      hay.push({
        texto: que,
        archivo: { archivoId: facturaId, nombre: `factura pieza ${folio}.${extensionOf(tipo)}`, fecha: creadaEn },
      });
  }
  if (hay.length === 0 && falta.length === 0 && !volvio(venta)) {
    const dicha = venta.pedidos.find(({ facturaFolio }) => facturaFolio !== null);
    falta.push({
      que: 'CFDI del proveedor',
      como: dicha
        ? `${dicha.proveedor} dice que es la ${enLinea(dicha.facturaFolio, dicha.facturaUuid && `UUID ${dicha.facturaUuid}`)}. Pide su XML y súbelo en Facturas de proveedores.`
        : 'Nadie lo anotó: pide el XML al proveedor y súbelo en Facturas de proveedores.',
    });
  }
  return { hay, falta, porque: 'La venta no se sostuvo y no se compró nada para ella.' };
}

function pagoDeProveedorOf(venta: Venta): Omit<Papel, 'titulo'> {
  const hay: Hay[] = [];
  const falta: Falta[] = [];
  for (const { folio, proveedor, fecha, aplicado, claveRastreo, archivos } of venta.pagos) {
    const que = enLinea(`Pago ${folio} a ${proveedor}`, dia(fecha), `${pesos(aplicado)} de esta venta`, claveRastreo);
    if (archivos.length === 0)
      falta.push({
        que: `comprobante del pago ${folio} a ${proveedor}`,
        como: enLinea(
          'Súbelo en Pagos a proveedores; el CEP se baja en banxico.org.mx/cep',
          claveRastreo && `clave ${claveRastreo}`,
        ),
      });
    hay.push({ texto: que });
    for (const { archivoId, nombre, creadoEn } of archivos)
      hay.push({
        texto: `Comprobante del pago ${folio}`,
        archivo: { archivoId, nombre: `pago ${folio} ${nombre}`, fecha: creadoEn },
      });
  }
  for (const { folio, proveedor, monto, pagada, acreditada } of venta.compras) {
    const resto = monto.minus(pagada).minus(acreditada);
    if (!resto.isZero() && !resto.isNegative())
      falta.push({
        que: `pago al proveedor (${pesos(resto)} de la factura ${folio} de ${proveedor})`,
        como: 'Ningún pago lo cubre: regístralo en Pagos a proveedores.',
      });
  }
  if (venta.pagos.length + venta.compras.length === 0 && !deStock(venta) && !volvio(venta))
    falta.push({
      que: 'pago al proveedor',
      como: 'Primero falta su factura; después, el pago se registra en Pagos a proveedores.',
    });
  return {
    hay,
    falta,
    porque: deStock(venta) ? 'La pieza se pagó cuando se compró.' : 'No se compró nada para esta venta.',
  };
}

const TITULO: Record<string, string> = tableOf({
  individual: 'Factura',
  global: 'Factura global',
  notaCredito: 'Nota de crédito',
});

const VIGENCIA: Record<CfdiEntero['estatus'], string> = {
  vigente: 'vigente',
  cancelando: 'en proceso de cancelarse',
  cancelada: 'cancelada',
};

/** Returns the folder of a document of several sales; undefined for a document of one, which lies with its sale. */
const comunOf = ({ deVarias, tipo, folio }: CfdiEntero) => (deVarias ? `${folio} ${nombreOf(tipo)}` : undefined);

/** Returns the files of a document, and what is missing of them. */
export function archivosOfCfdi(cfdi: CfdiEntero): Pick<Papel, 'hay' | 'falta'> {
  const { folio, tipo, uuid, estatus, total, xmlId, pdfId, fechaTimbrado } = cfdi;
  const comun = comunOf(cfdi);
  const que = `${TITULO[tipo] ?? 'Factura'} ${folio}`;
  const nombre = `${nombreOf(tipo)} ${folio}`;
  const archivo = (archivoId: string, como: string): Archivado => ({
    archivoId,
    nombre: como,
    fecha: fechaTimbrado,
    ...(comun !== undefined && { comun }),
  });
  return {
    hay: [
      {
        texto: enLinea(`${que} (XML)`, pesos(total), VIGENCIA[estatus], `UUID ${uuid}`),
        archivo: archivo(xmlId, xmlOf(nombre)),
      },
      ...(pdfId === null ? [] : [{ texto: `${que} (PDF)`, archivo: archivo(pdfId, pdfOf(nombre)) }]),
    ],
    falta:
      pdfId === null
        ? [
            {
              que: `PDF de ${folio}`,
              como: 'Descárgalo una vez en Facturas de clientes: se pide al PAC y queda guardado.',
            },
          ]
        : [],
  };
}

function documentos(cfdis: readonly CfdiEntero[]): Pick<Papel, 'hay' | 'falta'> {
  const suyos = cfdis.map(archivosOfCfdi);
  return { hay: suyos.flatMap(({ hay }) => hay), falta: suyos.flatMap(({ falta }) => falta) };
}

function cfdiDeClienteOf(venta: Venta): Omit<Papel, 'titulo'> {
  const suyos = venta.cfdis.filter(({ tipo }) => tipo !== 'notaCredito');
  const { hay, falta } = documentos(suyos);
  if (suyos.length === 0 && !venta.pagado.isZero())
    falta.push({
      que: 'CFDI del cliente',
      como: 'Factúrala en Facturación, o con la global de su mes en Facturación general.',
    });
  return { hay, falta, porque: 'No quedó nada pagado que facturar.' };
}

function notasOf(venta: Venta): Omit<Papel, 'titulo'> {
  const { hay, falta } = documentos(venta.cfdis.filter(({ tipo }) => tipo === 'notaCredito'));
  if (venta.notasEnCamino > 0)
    falta.push({ que: 'nota de crédito en trámite', como: 'Se está timbrando: mírala en Facturación general.' });
  else if (
    venta.diferencia !== null &&
    venta.cfdis.length > 0 &&
    !venta.diferencia.isZero() &&
    !venta.diferencia.isNegative()
  )
    falta.push({
      que: `nota de crédito por ${pesos(venta.diferencia)}`,
      como: 'Sus CFDI cobran más de lo que se quedó pagado. Balance fiscal dice el remedio.',
    });
  return { hay, falta, porque: 'No lleva ninguna.' };
}

/** Returns the receipt of each cancellation of a document, and what is missing of them. */
export function acusesOf(cfdi: CfdiEntero): Pick<Papel, 'hay' | 'falta'> {
  const { folio, estatus, canceladaEn, cancelaciones } = cfdi;
  const comun = comunOf(cfdi);
  const hay: Hay[] = [];
  const falta: Falta[] = [];
  for (const { motivo, estado, acuseId, pedidaEn, resueltaEn } of cancelaciones) {
    const texto = enLinea(
      `Cancelación de ${folio}`,
      `motivo ${motivo}`,
      `pedida el ${fechaHora(pedidaEn)}`,
      `${ESTADO_CANCELACION[estado].toLowerCase()}${resueltaEn ? ` el ${fechaHora(resueltaEn)}` : ''}`,
    );
    hay.push({
      texto,
      ...(acuseId !== null && {
        archivo: {
          archivoId: acuseId,
          nombre: xmlOf(`acuse de cancelación ${folio}`),
          fecha: resueltaEn ?? pedidaEn,
          ...(comun !== undefined && { comun }),
        },
      }),
    });
    if (estado === 'solicitada' || estado === 'enProceso')
      falta.push({
        que: `respuesta del SAT a la cancelación de ${folio}`,
        como: 'El SAT todavía no contesta; se pregunta solo.',
      });
  }
  if (estatus === 'cancelada' && !cancelaciones.some(({ acuseId }) => acuseId !== null))
    falta.push({
      que: `acuse de cancelación de ${folio}`,
      como: `Se canceló el ${fechaHora(canceladaEn)}. Descarga el acuse en la factura: se pide al PAC y queda guardado.`,
    });
  return { hay, falta };
}

function cancelacionesOf(venta: Venta): Omit<Papel, 'titulo'> {
  const suyas = venta.cfdis.map(acusesOf);
  return {
    hay: suyas.flatMap(({ hay }) => hay),
    falta: suyas.flatMap(({ falta }) => falta),
    porque: 'Ningún CFDI suyo se canceló.',
  };
}

function mensajesOf(venta: Venta): Omit<Papel, 'titulo'> {
  const { preguntas, reclamos, market } = venta;
  const { label, url } = enMercado(venta);
  return {
    hay: [
      ...(preguntas.length > 0
        ? [{ texto: `${contados(preguntas.length, 'pregunta', 'preguntas')} del comprador sobre lo vendido` }]
        : []),
      ...reclamos.map(({ marketId, abierto, mensajes }) => ({
        texto: enLinea(
          `Reclamo ${marketId}`,
          abierto ? 'abierto' : 'cerrado',
          contados(mensajes.length, 'mensaje', 'mensajes'),
        ),
      })),
    ],
    falta: MERCADOS[market].mensajes
      ? [{ que: 'conversación de la venta', como: `No se guarda aquí: ábrela en ${label}.`, url, fuera: true }]
      : [],
    porque: 'No hubo preguntas ni reclamos.',
  };
}
