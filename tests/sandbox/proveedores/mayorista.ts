/** The mechanism that all wholesalers share: account, switches, pieces on sale, memory, and the control routes of tests. */
import type { Routes } from '../routes';
import { bodyOf, json, type SandboxResponse, type Service, type ServiceOptions } from '../service';
import type { SupplierTruth } from '../truth';
import { claveOf, moveCatalogue, movePieza, pieza, PRODUCTOS, sells } from '../world/catalogo';
import type { Mayorista } from '../world/tienda';
import { Cuenta, Interruptores, Limite, Reloj, type Opciones } from './taller';

/** `horas` is the file with the hour by which wholesalers open and close, which the product reads too; memory alone without it. */
export type MayoristaOptions = ServiceOptions & { productos?: number; horas?: string };

/** Milliseconds after which an order has its invoice. */
export const FACTURA_MS = 60_000;
/** A transfer of ours, in centavos for each invoice that it pays. */
type Pago = { folio: string; en: number; facturas: { folio: string; importe: number }[] };

type Plan<S extends Opciones, C extends string, E> = {
  /** Its name in the catalogue, in faults and in control routes. */
  name: Mayorista;
  llaves: Readonly<Record<string, string>>;
  switches: S;
  /** The beginning of its tokens; a wholesaler without tokens has none. */
  prefijo?: string;
  /** The class of the pieces whose number leaves this remainder of fifty. All others are 'normal'. */
  clases: Readonly<Record<number, C>>;
  /** Documented calls a minute. */
  porMinuto?: number;
  /** The memory of the first day; a wholesaler that takes no orders has none. */
  fresh?: () => E;
};

/** The part of a service that each wholesaler says by itself. */
type Own<C extends string, P> = Pick<Service, 'title' | 'about' | 'prefixes' | 'faultRoute' | 'handle' | 'modes'> & {
  /** The answer that says no, and its text when a test gives none. */
  refuse: (text: string) => SandboxResponse;
  usualNo: string;
  /** Classes that are told without a usable price. */
  sinPrecio: readonly C[];
  precioOf: (n: number) => string;
  monedaOf: (n: number) => string;
  /** Pesos per dollar, as its own calls tell them; absent where tests compare no pesos. */
  porDolar?: number;
  /** Stock of a piece; null where the wholesaler sends no number. */
  existenciaOf: (n: number) => number | null;
  /** An order as tests compare with it; `total` is what its invoice charges, in pesos with IVA. */
  pedidoOf?: (pedido: P) => { folio: string; referencia: string; total: string; guias?: readonly object[] };
  /** When an order came, whether it is delivered, and its invoice; null while there is none. `at` is its place among all orders. */
  entregaOf?: (pedido: P, at: number) => { en: number; tomado: boolean; factura: { folio: string; en: number } | null };
  /** Begins anew what no other member holds. */
  reset?: () => void;
  puertas?: Routes;
};

/** Opens a wholesaler and returns its tools; `service` completes it with what it says by itself. */
export function openMayorista<
  const S extends Opciones,
  C extends string,
  E extends { pedidos: object[] } = { pedidos: never[] },
>(
  { store, productos = PRODUCTOS }: MayoristaOptions,
  { name, llaves, switches, prefijo, clases, porMinuto = 0, fresh }: Plan<S, C, E>,
) {
  const changed = () => store.changed();
  const reloj = new Reloj();
  const interruptores = new Interruptores(switches);
  const cuenta = new Cuenta(llaves, changed, prefijo);
  const limite = new Limite(porMinuto, reloj.now);
  const firstDay = () => (fresh ? fresh() : ({ pedidos: [] as never[] } as unknown as E));
  const estado = firstDay();
  let pagos: Pago[] = [];
  const ids = Array.from({ length: productos }, (_, n) => n).filter((n) => sells(name, n));
  const byClave = new Map(ids.map((n) => [claveOf(name, n), n]));
  const claseOf = (n: number): C | 'normal' => clases[n % 50] ?? 'normal';

  function service({
    refuse,
    usualNo,
    sinPrecio,
    precioOf,
    monedaOf,
    porDolar,
    existenciaOf,
    pedidoOf,
    entregaOf,
    reset,
    puertas,
    ...own
  }: Own<C, E['pedidos'][number]>): Service {
    /** A piece as tests compare with it. */
    const ejemplo = (n: number) => {
      const told = !(sinPrecio as readonly string[]).includes(claseOf(n));
      return {
        id: claveOf(name, n),
        precio: told ? precioOf(n) : null,
        moneda: told ? monedaOf(n) : null,
        ...(porDolar !== undefined && { porDolar: String(porDolar) }),
        existencia: existenciaOf(n),
        texto: pieza(n).modelo,
      };
    };
    /** The first pieces of each class that there is. */
    function ejemplos(count: number) {
      const found: Record<string, object[]> = {};
      for (const n of ids) {
        const some = (found[claseOf(n)] ??= []);
        if (some.length < count) some.push(ejemplo(n));
      }
      return found;
    }
    const takesOrders = pedidoOf !== undefined;
    /** What each invoice charges, and what transfers paid of it. */
    function account(): SupplierTruth {
      const paid = new Map<string, number>();
      for (const { folio, importe } of pagos.flatMap(({ facturas }) => facturas))
        paid.set(folio, (paid.get(folio) ?? 0) + importe);
      const all =
        !pedidoOf || !entregaOf ? [] : estado.pedidos.map((one, at) => ({ ...pedidoOf(one), ...entregaOf(one, at) }));
      const orders = all.map(({ folio, referencia, en, tomado, total }) => ({
        folio,
        referencia,
        at: en,
        taken: tomado,
        amount: Math.round(Number(total) * 100),
      }));
      const invoices = all.flatMap(({ folio: order, factura, total }) =>
        factura === null
          ? []
          : [
              {
                folio: factura.folio,
                order,
                at: factura.en,
                amount: Math.round(Number(total) * 100),
                paid: paid.get(factura.folio) ?? 0,
              },
            ],
      );
      return {
        proveedor: name,
        orders,
        invoices,
        payments: pagos.map(({ folio, en, facturas }) => ({
          folio,
          at: en,
          amount: facturas.reduce((sum, { importe }) => sum + importe, 0),
        })),
        owed: invoices.reduce((sum, { amount, paid: some }) => sum + amount - some, 0),
      };
    }
    /** Takes a transfer for invoices that are owed; one for more than that is no transfer of this world. */
    function takePago(asked: Partial<Pago>): SandboxResponse {
      const { invoices } = account();
      const facturas = asked.facturas ?? [];
      const wrong = facturas.filter(({ folio, importe }) => {
        const found = invoices.find((one) => one.folio === folio);
        return !found || !Number.isInteger(importe) || importe <= 0 || importe > found.amount - found.paid;
      });
      if (facturas.length === 0 || wrong.length > 0 || pagos.some(({ folio }) => folio === asked.folio))
        return json(400, { error: 'bad_payment', message: JSON.stringify(asked) });
      pagos.push({ folio: String(asked.folio), en: reloj.now(), facturas });
      changed();
      return json(200, { ok: true });
    }
    return {
      ...own,
      name,
      refusal: ({ message }) => refuse(String(message ?? usualNo)),
      control: {
        ...interruptores.control,
        ...reloj.control,
        ...cuenta.control,
        'GET /ejemplos': ({ url }) => json(200, ejemplos(Number(url.searchParams.get('n') ?? 5))),
        'GET /catalogo': () =>
          json(
            200,
            ids.map((n) => claveOf(name, n)),
          ),
        'GET /pedidos': () => json(200, takesOrders ? estado.pedidos.map(pedidoOf) : []),
        /** Pays invoices by a transfer, `importe` centavos each. */
        'POST /pagos': (request) => takePago(bodyOf(request)),
        /** Sets the calls a minute; 0 lets all through, which measurements ask for. */
        'POST /limite': (request) => {
          if (porMinuto > 0) limite.porMinuto = Number(bodyOf(request).porMinuto) || 0;
          return json(200, { ok: true });
        },
        /** Makes one piece dearer, and leaves all others as they are. */
        'POST /cambia/:clave': ({ params }) => {
          const n = byClave.get(params.clave!);
          return n === undefined ? json(404, { error: 'no such piece' }) : json(200, { veces: movePieza(n) });
        },
        /** Makes one piece in `cada` dearer, and its stock larger, at all wholesalers. */
        'POST /cambia': (request) => json(200, moveCatalogue(Number(bodyOf(request).cada) || 0)),
        ...puertas,
      },
      counts: () => ({ Productos: ids.length, ...(takesOrders && { Pedidos: estado.pedidos.length }) }),
      account,
      snapshot: () => ({ ...(takesOrders && { ...estado, pagos }), cuenta: cuenta.snapshot() }),
      restore(saved) {
        const { cuenta: kept, pagos: made = [], ...rest } = saved as { cuenta?: object; pagos?: Pago[] };
        Object.assign(estado, firstDay(), rest);
        pagos = made;
        cuenta.restore(kept);
      },
      reset() {
        Object.assign(estado, firstDay());
        pagos = [];
        for (const tool of [cuenta, interruptores, reloj, limite]) tool.reset();
        reset?.();
        moveCatalogue(0);
      },
    };
  }

  return {
    reloj,
    cuenta,
    limite,
    changed,
    estado,
    ids,
    claseOf,
    /** Whether an unconfirmed fact is played in this way. */
    is: ((fact, way) => interruptores.is(fact, way)) as Interruptores<S>['is'],
    /** The piece of a key; undefined when it is not sold there. */
    numberOf: (clave: string) => byClave.get(clave),
    service,
  };
}
