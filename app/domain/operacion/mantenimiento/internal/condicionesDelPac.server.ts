import { sql } from 'kysely';
import type { HallazgoDeCotejo } from '~db/columns';
import type { Condicion } from './condicion';

/** Days after which the PAC's list should have been read again, and days for which a finding that mended itself is told. */
const COTEJO_DIAS = 3;
const FOLIOS_DICHOS = 5;

/**
 * The PAC has CFDI of our sales that are not here and cannot be taken, cancelled some behind our back, or has not handed over its list for days. Two documents of
 * one sale come from nothing else.
 */
export const cfdisDelPac: Condicion = {
  clave: 'cfdisDelPac',
  async mira(db) {
    const hallazgos = await db
      .selectFrom('cotejoHallazgo')
      .select(['que', 'folio', 'motivo'])
      .where((is) =>
        is.or([
          is('resueltoEn', 'is', null),
          is.and([
            is('que', '<>', 'inexplicado'),
            is('vistoEn', '>', sql<Date>`now() - make_interval(days => ${COTEJO_DIAS})`),
          ]),
        ]),
      )
      .orderBy('vistoEn', 'desc')
      .execute();
    const of = (que: HallazgoDeCotejo) => hallazgos.filter((hallazgo) => hallazgo.que === que);
    const folios = (some: { folio: string }[]) =>
      `${some
        .slice(0, FOLIOS_DICHOS)
        .map(({ folio }) => folio)
        .join(', ')}${some.length > FOLIOS_DICHOS ? ` y ${some.length - FOLIOS_DICHOS} más` : ''}`;
    const [inexplicados, cancelados, adoptados] = [of('inexplicado'), of('cancelado'), of('adoptado')];
    if (inexplicados.length > 0)
      return {
        nivel: 'grave',
        texto: `factura.com tiene CFDI que aquí no están o están de otro modo: ${inexplicados
          .slice(0, FOLIOS_DICHOS)
          .map(({ folio, motivo }) => `${folio} (${motivo})`)
          .join('; ')}${inexplicados.length > FOLIOS_DICHOS ? '; y más' : ''}.`,
        remedio:
          'Compáralos y cancela en factura.com el que sobre; mientras tanto sus ventas no se facturan. Se coteja otra vez cada noche.',
        pantalla: 'facturasClientes',
      };
    const atrasado = await sql<{ atrasado: boolean }>`
      select not exists (select from cotejo_mes where leido_en > now() - make_interval(days => ${COTEJO_DIAS})) as atrasado
      where exists (select from factura where estatus <> 'cancelada' and fecha_timbrado < now() - make_interval(days => ${COTEJO_DIAS}))
        and exists (select from connection where kind = 'facturacom' and account = '' and paused_at is null)`.execute(
      db,
    );
    if (atrasado.rows[0]?.atrasado)
      return {
        nivel: 'aviso',
        texto: `Hace más de ${COTEJO_DIAS} días que no se cotejan los CFDI con factura.com.`,
        remedio:
          'Busca «cfdi.cotejar» en el registro del worker: ahí está por qué no termina. Un plan de factura.com puede no entregar su lista.',
      };
    if (cancelados.length + adoptados.length === 0) return null;
    return {
      nivel: 'aviso',
      texto: [
        cancelados.length > 0 &&
          `En factura.com se cancelaron fuera de aquí ${folios(cancelados)}: sus ventas vuelven a estar por facturar.`,
        adoptados.length > 0 && `En factura.com se timbraron fuera de aquí ${folios(adoptados)}: ya facturan su venta.`,
      ]
        .filter(Boolean)
        .join(' '),
      remedio: 'Revisa que así deba ser. Este aviso se quita solo en unos días.',
      pantalla: 'facturasClientes',
    };
  },
};
