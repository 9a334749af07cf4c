import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';
import { ROLES } from '~/core/usuario';
import { FIN_DEL_PLAZO, obligacionOf } from '~/domain/personal/internal/obligacion.server';

/** A program that goes on with a person's own password is told from its first entry on. */
const PLAZOS = { aviso: 0, mal: 30 * DIA };

/**
 * The queue of programs that enter by the old client's calls with a person's own password. Each person sees theirs, and an sa everybody's. An API
 * password that was made after the last such entry ends the wait.
 */
export const entradasAnteriores: Cola = {
  clave: 'entradasAnteriores',
  titulo: 'Programas que entran con tu contraseña',
  icono: 'enchufe',
  pantallas: ['tokensApi'],
  ver: 'Hacer una contraseña de API',
  plazos: PLAZOS,
  dePersona: true,
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select entrada_anterior.usuario_id || ':' || entrada_anterior.primera_en::date as id,
          usuario.usuario || ' entra por las llamadas anteriores' as titulo,
          'Con su propia contraseña, desde ' || entrada_anterior.direccion || '. Cámbiala en ese programa por una contraseña de API.' as detalle,
          'tokensApi' as a,
          entrada_anterior.primera_en as desde,
          case when usuario.rol = any(${ROLES.filter((rol) => obligacionOf(rol) === 'conPlazo')}::text[])
            then ${FIN_DEL_PLAZO} end as vence
        from entrada_anterior
        join usuario on usuario.id = entrada_anterior.usuario_id and usuario.activo
        left join plazo_segundo_factor on plazo_segundo_factor.usuario_id = usuario.id
        where entrada_anterior.ultima_en > ${mirada.ahora}::timestamptz - interval '30 days'
          and (usuario.id = ${mirada.quien.id} or ${mirada.quien.rol === 'sa'})
          and not exists (
            select from clave_api where clave_api.usuario_id = usuario.id and clave_api.revocada_en is null
              and clave_api.creada_en > entrada_anterior.ultima_en)`,
      PLAZOS,
      mirada,
    ),
};
