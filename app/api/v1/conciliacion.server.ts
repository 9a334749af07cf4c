import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { Mes, SiNo } from '~/core/fields';
import { conciliadasList, depositosList, ajustesList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import { CAUSAS_DEL_MES } from '~/domain/cierre/conciliacion/mesCerrado';
import { readMesCerrado } from '~/domain/cierre/conciliacion/mesCerrado.server';
import { porLiberarList } from '~/domain/cierre/conciliacion/listPorLiberar.server';
import {
  note,
  readConciliada,
  readRegla,
  readVentasDeDeposito,
  saveRegla,
} from '~/domain/cierre/conciliacion/conciliacion.server';
import { sueltosList } from '~/domain/cierre/conciliacion/listSueltos.server';
import { decideSuelto, readSuelto, requestVenta } from '~/domain/cierre/conciliacion/sueltos.server';
import { Anotacion, BusquedaDeSuelto, MotivoDicho, Regla } from '~/domain/cierre/conciliacion/conciliacionForm';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const conciliar = { alcance: 'conciliacion', acceso: { pantalla: 'conciliacion' } } as const;
const anotar = {
  alcance: 'conciliacion',
  acceso: { pantalla: 'conciliacion', derecho: 'conciliacion.anotar' },
} as const;

const Tolerancia = z.object({ tolerancia: Pesos, version: z.int() });

const Deposito = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  clave: z.string(),
  fecha: Instante,
  importe: Pesos,
  suma: Pesos,
  saldoAntes: Pesos.nullable(),
  saldoDespues: Pesos.nullable(),
  sinExplicar: Pesos,
  movimientos: z.int(),
  diferencia: Pesos,
  difiere: z.boolean(),
  motivo: z.string().nullable(),
  reclamadoEn: Instante.nullable(),
});

const Conciliada = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  titulo: z.string(),
  fecha: Instante,
  esperado: Pesos,
  recibido: Pesos,
  diferencia: Pesos,
  completa: z.boolean(),
  dCobrado: Pesos,
  dComision: Pesos,
  dEnvio: Pesos,
  dRetencion: Pesos,
  rOtros: Pesos,
  difiere: z.boolean(),
  motivo: z.string().nullable(),
  reclamadoEn: Instante.nullable(),
});

const ResultadoDelMes = z.object({ queda: Pesos, ventas: z.int(), sinSaber: z.int() });

const Suelto = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  clase: z.string().meta({ description: 'venta, cobro, publicidad, impuesto, cargo o abono.' }),
  numero: z.string().nullable(),
  detalle: z.string(),
  importe: Pesos,
  lineas: z.int(),
  hasta: Instante,
  buscadoEn: Instante.nullable(),
  hallazgo: z.string().nullable(),
  motivo: z.string().nullable(),
});

export const conciliacion: Call[] = [
  defineListCall({
    path: '/api/v1/conciliacion/depositos',
    resumen: 'Lo que los mercados depositaron en un periodo, y si está todo explicado.',
    ...conciliar,
    list: depositosList,
    fila: Deposito.extend({ ventas: z.int() }),
    totales: { importe: Pesos, sinExplicar: Pesos, diferencia: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/depositos/{id}',
    resumen: 'Un depósito: de qué está hecho, por concepto y por venta, y lo que no es de ninguna.',
    ...conciliar,
    params: ById,
    answer: Deposito.extend({
      version: z.int(),
      conceptos: z.array(z.object({ concepto: z.string(), cuantos: z.int(), importe: Pesos })),
      ventas: z.array(z.object({ ordenId: z.uuid(), numOrden: z.string(), importe: Pesos })),
      sinVenta: Pesos.meta({ description: 'Lo que no se reconoce como de ninguna venta.' }),
    }),
    etag: etagOfVersion,
    run: (db, { params: { id } }) => found(readVentasDeDeposito(db, id)),
  }),
  defineListCall({
    path: '/api/v1/conciliacion/ventas',
    resumen: 'Venta por venta: lo que se esperaba recibir y lo que se recibió.',
    ...conciliar,
    list: conciliadasList,
    fila: Conciliada,
    totales: { esperado: Pesos, recibido: Pesos, diferencia: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/ventas/{id}',
    resumen: 'Una venta liquidada: lo que se esperaba y lo que se recibió, concepto por concepto.',
    ...conciliar,
    params: ById,
    answer: Conciliada.extend({
      version: z.int(),
      depositoId: z.uuid().nullable(),
      depositadaEn: Instante.nullable(),
      eCobrado: Pesos,
      eComision: Pesos,
      eEnvio: Pesos,
      eRetencion: Pesos,
      rCobrado: Pesos,
      rDevuelto: Pesos,
      rComision: Pesos,
      rEnvio: Pesos,
      rIva: Pesos,
      rIsr: Pesos,
      rRetencion: Pesos,
    }),
    etag: etagOfVersion,
    async run(db, { params: { id } }) {
      return { id, ...(await found(readConciliada(db, id))) };
    },
  }),
  defineListCall({
    path: '/api/v1/conciliacion/porLiberar',
    resumen: 'El dinero de ventas que los mercados tienen y ninguna liquidación trae todavía.',
    ...conciliar,
    list: porLiberarList,
    fila: z.object({
      id: z.uuid(),
      market: z.enum(MARKETS),
      numOrden: z.string(),
      titulo: z.string(),
      fecha: Instante,
      libera: Instante.nullable(),
      atrasada: z.boolean(),
      porLiberar: Pesos,
      estimado: z.boolean(),
    }),
    totales: { porLiberar: Pesos },
  }),
  defineListCall({
    path: '/api/v1/conciliacion/sueltos',
    resumen: 'Dinero de las liquidaciones que no es de ninguna venta de aquí.',
    ...conciliar,
    list: sueltosList,
    fila: Suelto.extend({ porIdentificar: z.boolean() }),
    totales: { importe: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/sueltos/{id}',
    resumen: 'Dinero sin identificar: sus renglones, la búsqueda de su venta y el motivo.',
    ...conciliar,
    params: ById,
    answer: Suelto.extend({
      version: z.int(),
      depositoId: z.uuid().nullable(),
      depositadoEn: Instante.nullable(),
      renglones: z.array(z.object({ concepto: z.string(), importe: Pesos, fecha: Instante, detalle: z.string() })),
    }),
    etag: etagOfVersion,
    run: (db, { params: { id } }) => found(readSuelto(db, id)),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/conciliacion/sueltos/{id}/motivo',
    resumen: 'Por qué un dinero no es de una venta; sin motivo, vuelve a quedar por identificar.',
    ...anotar,
    conVersion: true,
    form: MotivoDicho,
    de: { id: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await decideSuelto(trx, form, usuario.id);
      return { id: form.id };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/conciliacion/sueltos/{id}/buscar',
    resumen: 'Busca en su mercado la venta que nombra un dinero sin identificar.',
    ...anotar,
    conVersion: true,
    form: BusquedaDeSuelto,
    de: { id: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await requestVenta(trx, form, usuario.id);
      return { id: form.id };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/meses/{mes}',
    resumen: 'Un mes como se sabía al cerrarlo y como se sabe hoy, por qué cambió, y qué tanto de su dinero se sabe.',
    ...conciliar,
    params: z.object({ mes: Mes() }),
    answer: z.object({
      momento: Instante.nullable().meta({ description: 'Cuándo se cerró; null si todavía no.' }),
      conGlobal: z.boolean(),
      entonces: ResultadoDelMes.nullable(),
      hoy: ResultadoDelMes,
      diferencia: Pesos.nullable(),
      causas: z.array(
        z.object({
          causa: z.enum(CAUSAS_DEL_MES),
          importe: Pesos,
          ventas: z.int(),
          mayores: z.array(z.object({ id: z.uuid(), numOrden: z.string(), importe: Pesos })),
        }),
      ),
      calidad: z.object({
        pagado: Pesos,
        grados: z.array(
          z.object({ certeza: z.string(), pagado: Pesos, ventas: z.int(), parte: z.string().nullable() }),
        ),
        tramos: z.array(z.object({ certeza: z.string(), edad: z.int(), pagado: Pesos, ventas: z.int() })),
        sueltos: Pesos,
      }),
    }),
    run: (db, { params: { mes } }) => readMesCerrado(db, mes, new Date()),
  }),
  defineListCall({
    path: '/api/v1/conciliacion/ajustes',
    resumen: 'Lo que movió la utilidad de meses que ya habían cerrado.',
    ...conciliar,
    list: ajustesList,
    fila: z.object({
      id: z.uuid(),
      en: Instante,
      mes: z.string(),
      causa: z.string(),
      antes: Pesos.nullable(),
      despues: Pesos.nullable(),
      diferencia: Pesos,
      ordenId: z.uuid(),
      numOrden: z.string(),
      market: z.enum(MARKETS),
    }),
    totales: { diferencia: Pesos },
  }),
  ...(
    [
      ['depositos', 'deposito', 'Por qué difiere un depósito, y si ya se reclamó.'],
      ['ventas', 'conciliacion', 'Por qué difiere lo recibido de una venta, y si ya se reclamó.'],
    ] as const
  ).map(([nombre, que, resumen]) =>
    defineFormCall({
      method: 'PUT',
      path: `/api/v1/conciliacion/${nombre}/{id}/motivo`,
      resumen,
      ...anotar,
      conVersion: true,
      form: Anotacion.extend({ reclamado: SiNo.default(false) }),
      de: { id: 'id' },
      answer: ById,
      async commit(trx, { reclamado, ...form }, { usuario }) {
        await note(trx, que, { ...form, ...(reclamado && { reclamado: '1' as const }) }, usuario.id);
        return { id: form.id };
      },
    }),
  ),
  defineCall({
    method: 'GET',
    path: '/api/v1/conciliacion/tolerancia',
    resumen: 'Desde cuánto espera una diferencia a una persona.',
    ...conciliar,
    answer: Tolerancia,
    etag: etagOfVersion,
    run: (db) => readRegla(db),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/conciliacion/tolerancia',
    resumen: 'Cambia desde cuánto espera una diferencia a una persona.',
    ...anotar,
    conVersion: true,
    form: Regla,
    answer: Tolerancia,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await saveRegla(trx, form, usuario.id);
      return readRegla(trx);
    },
  }),
];
