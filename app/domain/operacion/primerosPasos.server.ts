import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { enumerate } from '~/core/hechos';
import { listConfigurados } from '~/domain/compras/directorio/configuracion.server';
import { readSegundoFactor } from '~/domain/personal/segundoFactor.server';
import type { Direccion, FarSide } from '~/platform/connections/definition';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';

/** State of a step. `mal`: it was done, and the far side does not accept it any more. */
export type EstadoDePaso = 'listo' | 'falta' | 'mal';

/** One step from an empty installation to the first invoiced sale. */
export type Paso = {
  clave: string;
  titulo: string;
  estado: EstadoDePaso;
  /** What does not work without it. */
  porque: string;
  /** Where what it asks for is found; null where it asks for nothing from outside. */
  donde: string | null;
  /** Address where it is done, inside the area; null for a thing of the server, and for a step that waits for another one. */
  pantalla: string | null;
  /** Addresses of ours to register at the far side. */
  registra: readonly Direccion[];
  /** True for a step without which a shop can work. */
  opcional: boolean;
};

type Vinculo = { connection: string; status: string };

/**
 * Returns the steps of a new installation in their order, with the state of each; null once every step that a shop cannot work without is done, and in the
 * demo, which was begun already.
 */
export async function readPrimerosPasos(db: Db, usuario: Pick<Usuario, 'id' | 'rol'>): Promise<Paso[] | null> {
  if (env().DEMO === '1') return null;
  const [vinculos, hay, factor, compras] = await Promise.all([
    db.selectFrom('credential').select(['connection', 'status']).execute(),
    countBase(db),
    readSegundoFactor(db, usuario),
    readCompras(db),
  ]);
  const pasos = [
    ...stepsOf('timbrado', vinculos),
    ...stepsOf('ventas', vinculos),
    ...proveedoresStep(vinculos),
    ...compras,
    ...stepsOf('correo', vinculos),
    {
      ...DEL_SERVIDOR,
      clave: 'codigosPostales',
      titulo: 'Códigos postales',
      estado: hay.codigosPostales ? 'listo' : 'falta',
      porque: 'Sin ellos nadie elige colonia, y los datos fiscales de un cliente no se comprueban.',
      donde:
        'Descarga el catálogo en texto de Correos de México (SEPOMEX) y léelo en el servidor: npm run sepomex -- archivo.txt',
      opcional: false,
    },
    {
      ...DE_PANTALLA,
      clave: 'personas',
      titulo: 'Las demás personas',
      estado: hay.personas > 1 ? 'listo' : 'falta',
      porque: 'Cada quien entra con su usuario: así se sabe quién hizo qué.',
      pantalla: 'usuarios',
      opcional: true,
    },
    {
      ...DE_PANTALLA,
      clave: 'segundoFactor',
      titulo: 'Tu verificación en dos pasos',
      estado: factor.confirmadoEn ? 'listo' : 'falta',
      porque: 'Una contraseña sola se adivina o se copia, y la tuya abre todo.',
      pantalla: 'segundoFactor',
      opcional: true,
    },
  ] satisfies Paso[];
  return pasos.every(({ estado, opcional }) => estado === 'listo' || (opcional && estado !== 'mal')) ? null : pasos;
}

const DE_PANTALLA = { donde: null, registra: [] } as const;
const DEL_SERVIDOR = { pantalla: null, registra: [] } as const;

async function countBase(db: Db): Promise<{ codigosPostales: boolean; personas: number }> {
  const { rows } = await sql<{ codigosPostales: boolean; personas: number }>`
    select exists (select from codigo_postal) as "codigosPostales",
      (select count(*)::int from usuario where activo) as personas`.execute(db);
  return rows[0]!;
}

const PORQUE: Record<'timbrado' | 'ventas' | 'correo', string> = {
  timbrado: 'Sin sus llaves no sale ninguna factura.',
  ventas: 'De ahí llegan las ventas, las preguntas y los cobros.',
  correo: 'Sin él no salen facturas, enlaces ni pedidos por correo.',
};

/** Returns a step for each far side that does a kind of work. Where there are several, one is enough for a shop to work. */
function stepsOf(capacidad: keyof typeof PORQUE, vinculos: readonly Vinculo[]): Paso[] {
  const sides = CONNECTIONS.all().filter(({ capabilities }) => capabilities[capacidad] !== undefined);
  const alguna = sides.some((side) => estadoOf(side, vinculos) === 'listo');
  return sides.map((side) => {
    const estado = estadoOf(side, vinculos);
    return {
      ...askedBy(side),
      clave: side.kind,
      estado,
      porque: PORQUE[capacidad],
      opcional: alguna && estado === 'falta',
    };
  });
}

function estadoOf({ kind, link }: FarSide, vinculos: readonly Vinculo[]): EstadoDePaso {
  if (link.type === 'settings') return link.isSet() ? 'listo' : 'falta';
  const vinculo = vinculos.find(({ connection }) => connection === kind);
  return !vinculo ? 'falta' : vinculo.status === 'linked' ? 'listo' : 'mal';
}

/** Returns the address of the card of a far side. */
const cardOf = (kind: string) => `tokens#titulo-${kind}`;

/** What a far side asks for, and where that is found. */
function askedBy({ kind, label, link }: FarSide): Pick<Paso, 'titulo' | 'donde' | 'pantalla' | 'registra'> {
  if (link.type === 'settings')
    return { titulo: label, donde: `Se configura en el servidor (${link.where}).`, pantalla: null, registra: [] };
  if (link.type === 'keys')
    return {
      titulo: label,
      donde: `En tu cuenta de ${label}: ${enumerate(link.fields.map((field) => field.label))}.`,
      pantalla: cardOf(kind),
      registra: [],
    };
  const falta = link.falta?.() ?? [];
  const servidor = falta.length > 0 ? ` Configura ${enumerate(falta)} en el servidor.` : '';
  return {
    titulo: label,
    donde: `${link.donde ?? `En tu cuenta de ${label}.`}${servidor}`,
    pantalla: cardOf(kind),
    registra: link.registra?.() ?? [],
  };
}

function proveedoresStep(vinculos: readonly Vinculo[]): Paso[] {
  const sides = CONNECTIONS.all().filter(({ capabilities }) => capabilities.productos !== undefined);
  const estados = sides.map((side) => estadoOf(side, vinculos));
  return [
    {
      clave: 'proveedores',
      titulo: 'Un proveedor',
      estado: estados.includes('mal') ? 'mal' : estados.includes('listo') ? 'listo' : 'falta',
      porque: 'De su catálogo salen los productos, los precios y lo que se pide.',
      donde: `Con las llaves de tu cuenta en ${enumerate(sides.map(({ label }) => label))}.`,
      pantalla: cardOf(sides[0]?.kind ?? ''),
      registra: [],
      opcional: false,
    },
  ];
}

/** Returns how we buy at the linked suppliers, and the price rule of each. */
async function readCompras(db: Db): Promise<Paso[]> {
  const [configurados, vinculados] = await Promise.all([
    listConfigurados(db),
    db.selectFrom('credential').select('connection').execute(),
  ]);
  const suyos = configurados.filter(({ value }) => vinculados.some(({ connection }) => connection === value));
  const incompletos = suyos.filter(({ compra: { falta } }) => falta.length > 0);
  const sinRegla = suyos.filter(({ conRegla }) => !conRegla);
  const hay = suyos.length > 0;
  const de = (cuales: readonly { label: string }[], sin: string) =>
    hay ? (cuales.length > 0 ? `Falta en ${enumerate(cuales.map(({ label }) => label))}.` : null) : sin;
  return [
    {
      clave: 'comoSeCompra',
      titulo: 'Cómo se compra',
      estado: hay && incompletos.length === 0 ? 'listo' : 'falta',
      porque: 'Sin forma de pago, fletera y almacén ningún pedido se puede hacer.',
      donde: de(incompletos, 'Cuando haya un proveedor.'),
      pantalla: hay ? 'tiendasConfiguracion' : null,
      registra: [],
      opcional: false,
    },
    {
      clave: 'reglaDePrecio',
      titulo: 'La regla de precio',
      estado: hay && sinRegla.length === 0 ? 'listo' : 'falta',
      porque: 'Sin margen no hay precio que publicar ni qué seguir cuando el proveedor cambia el suyo.',
      donde: de(sinRegla, 'Cuando haya un proveedor.'),
      pantalla: hay ? 'tiendasConfiguracion' : null,
      registra: [],
      opcional: false,
    },
  ];
}
