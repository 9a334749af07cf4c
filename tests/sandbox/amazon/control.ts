import type { Interruptores, Reloj } from '../proveedores/taller';
import { answerOrBack, json, type Handler, type SandboxRequest } from '../service';
import { HOUR, MINUTE } from './constants';
import { cargosDe } from './finances';
import type { Lwa } from './lwa';
import type { Rates } from './rates';
import type { SWITCHES } from './switches';
import { productosOf, devuelve, ship, isEscenario, pagado, venta, type Cambios, type Venta } from './ventas';

export type Retrasos = { horasTarde: number; horasSinPaquete: number };

type Options = {
  reloj: Reloj;
  interruptores: Interruptores<typeof SWITCHES>;
  lwa: Lwa;
  rates: Rates;
  ventas: Venta[];
  retrasos: Retrasos;
  changed(): void;
};

const BACK = '/#amazon';
/** Makes a sale new at an instant: no package has left yet, whatever its scenario does later. */
function justSold(sale: Venta, at: number) {
  sale.cambio = at;
  if (sale.enviadaEn === null) return;
  Object.assign(sale, { estado: 'UNSHIPPED', enviadaEn: null, paquetes: [], devoluciones: [] });
  for (const linea of sale.lineas) linea.enviadas = 0;
}

const bodyOf = (request: SandboxRequest) => (request.data() ?? {}) as Record<string, unknown>;

/** Control routes of Amazon's sales, clock, tokens and limits, below /control/amazon. */
export function createControl(options: Options): Record<string, Handler> {
  const { reloj, interruptores, lwa, rates, ventas, retrasos, changed } = options;
  const factsOf = (sale: Venta) => ({
    id: sale.id,
    escenario: sale.escenario,
    estado: sale.estado,
    canal: sale.canal,
    total: pagado(sale) / 100,
    productos: sale.lineas.reduce((sum, linea) => sum + productosOf(linea), 0) / 100,
    rfc: sale.negocio?.rfc ?? null,
    cargos: cargosDe(sale, interruptores.is('comision', 'conIva')),
    piezas: sale.lineas.map(({ id, cantidad, enviadas }) => ({ id, cantidad, enviadas })),
    paquetes: sale.paquetes,
  });

  /** Makes `veces` sales of one scenario. Their instant is a few minutes ago, so that the search already tells them. */
  function sell(request: SandboxRequest) {
    const { escenario = 'porEnviar', veces = 1, ...cambios } = bodyOf(request);
    if (!isEscenario(escenario)) return json(400, { error: 'unknown_scenario' });
    const made = Array.from({ length: Math.min(5_000, Math.max(1, Number(veces) || 1)) }, () => {
      const at = reloj.now() - 3 * MINUTE;
      const sale = venta(ventas.length, escenario, (cambios as Cambios).creada ?? at, cambios as Cambios);
      if ((cambios as Cambios).creada === undefined) justSold(sale, at);
      ventas.push(sale);
      return sale;
    });
    changed();
    return answerOrBack(request, made.length === 1 ? factsOf(made[0]!) : { ventas: made.map(factsOf) }, BACK);
  }

  const withSale =
    (work: (sale: Venta, body: Record<string, unknown>) => void): Handler =>
    (request) => {
      const sale = ventas.find(({ id }) => id === request.params.id);
      if (!sale) return json(404, { error: 'not_found' });
      work(sale, bodyOf(request));
      changed();
      return json(200, factsOf(sale));
    };

  return {
    ...interruptores.control,
    ...reloj.control,
    'GET /ventas': () => json(200, ventas.map(factsOf)),
    'POST /ventas': sell,
    /** Changes of a sale: an update without consequence ('toca'), a broken document, a payment, a shipment, a cancellation, and money given back. */
    'POST /ventas/:id/toca': withSale((sale) => (sale.cambio = reloj.now() - 2 * MINUTE - 1)),
    'POST /ventas/:id/rompe': withSale((sale, { rota = true }) => {
      sale.rota = rota === true;
      sale.cambio = reloj.now() - 2 * MINUTE - 1;
    }),
    'POST /ventas/:id/paga': withSale((sale) => {
      sale.estado = 'UNSHIPPED';
      sale.cambio = reloj.now() - 2 * MINUTE - 1;
    }),
    'POST /ventas/:id/envia': withSale((sale, { horas = 0 }) => {
      ship(sale, reloj.now() - Number(horas) * HOUR - 2 * MINUTE - 1);
    }),
    'POST /ventas/:id/cancela': withSale((sale) => {
      sale.estado = 'CANCELLED';
      sale.cambio = reloj.now() - 2 * MINUTE - 1;
    }),
    'POST /ventas/:id/devuelve': withSale((sale, { parte = 1 }) => {
      devuelve(sale, reloj.now() - 2 * MINUTE - 1, Number(parte));
    }),
    'POST /retrasos': (request) => {
      Object.assign(retrasos, bodyOf(request));
      return json(200, retrasos);
    },
    'GET /ritmo': () => json(200, { factor: rates.factor, refused: rates.refused, asked: rates.asked }),
    /** Sets the factor of the limits of calls: 1 is the documented one, the demo's is higher, and that of a real account may be lower. */
    'POST /ritmo': (request) => {
      rates.factor = Number(bodyOf(request).factor) || 1;
      return json(200, { factor: rates.factor });
    },
    'GET /lwa': () =>
      json(200, { ...lwa.state.stats, linked: lwa.state.refresh !== null, living: lwa.state.access.length }),
    'POST /lwa': (request) => {
      const { expireNow, revoke, expiresIn, secret, bornDead } = bodyOf(request);
      if (expireNow) lwa.expireNow();
      if (revoke) lwa.revoke();
      lwa.state.bornDead = bornDead === true;
      if (Number(expiresIn) > 0) lwa.state.expiresIn = Number(expiresIn);
      if (typeof secret === 'string') lwa.rotate(secret);
      return json(200, { ok: true });
    },
    /** Answers with a refresh token, as the developer console gives it to sellers who authorize their own application. */
    'POST /autoautoriza': (request) => {
      const code = lwa.issueCode('consola');
      const { client_id, client_secret } = bodyOf(request);
      const form = JSON.stringify({ grant_type: 'authorization_code', code, client_id, client_secret });
      return lwa.token({
        ...request,
        headers: { 'content-type': 'application/json' },
        data: () => JSON.parse(form) as unknown,
      });
    },
  };
}
