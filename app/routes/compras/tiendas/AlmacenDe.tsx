import type { ReactNode } from 'react';
import type { Wire } from '~/core/list';
import type { Market } from '~/core/market';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { readAlmacenes } from '~/domain/publicaciones/publicaciones/almacenes.server';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Estatus } from '~/ui/Estatus';
import { Hace } from '~/ui/Fecha';
import { SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';

export type Almacenes = Wire<NonNullable<Awaited<ReturnType<typeof readAlmacenes>>>>;
type Props = { market: Market; almacenes: Almacenes; ahora: Date | string };

/** The store of the account in which our pieces lie. An account with one store leaves no choice. */
export function AlmacenDe({ market, almacenes, ahora }: Props) {
  const { lista, falta, leidosEn } = almacenes;
  const [primero, segundo] = lista;
  return (
    <div className="apilado">
      <h3>Almacén</h3>
      {falta !== null && (
        <p>
          <Estatus tono="mal">No se escriben piezas</Estatus> {falta}
        </p>
      )}
      {segundo ? (
        <ElegirAlmacen market={market} almacenes={almacenes} />
      ) : (
        primero && <p>Las piezas se escriben en «{primero.nombre}», el único almacén de la cuenta.</p>
      )}
      <LeerAlmacenesForm market={market}>
        Los almacenes se leyeron <Hace valor={leidosEn} ahora={ahora} />.
      </LeerAlmacenesForm>
    </div>
  );
}

function ElegirAlmacen({ market, almacenes: { lista, elegido, huella } }: Omit<Props, 'ahora'>) {
  const form = useActionForm<{ almacen: string }>('almacen', {
    id: `almacen-${market}`,
    defaultValue: { almacen: elegido ?? '' },
    required: { almacen: true },
  });
  const { label } = MERCADOS[market];
  return (
    <ActionForm of={form}>
      <Hidden market={market} />
      <Visto of={form} marcas={{ huella }} />
      <div className="campos">
        <SelectField
          field={form.fields.almacen}
          label="Almacén de nuestras piezas"
          data={[
            ...(elegido === null ? [{ value: '', label: 'Elige…' }] : []),
            ...lista.map(({ id, nombre }) => ({ value: id, label: nombre })),
          ]}
        />
      </div>
      <p className="nota">
        Solo se escriben las piezas de este almacén. Las que haya en otro se quedan como están: se cambian en {label}.
      </p>
      <div className="botones">
        <Boton
          tono="acento"
          type="submit"
          ocupado={form.pending !== undefined}
          aria-label={`Guardar el almacén de ${label}`}
        >
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}

function LeerAlmacenesForm({ market, children }: { market: Market; children: ReactNode }) {
  const form = useActionForm('leerAlmacenes', { id: `leerAlmacenes-${market}` });
  return (
    <ActionForm of={form}>
      <Hidden market={market} />
      <div className="con-boton">
        <p className="nota">{children}</p>
        <Boton
          type="submit"
          ocupado={form.pending !== undefined}
          aria-label={`Leer los almacenes de ${MERCADOS[market].label}`}
        >
          Leer almacenes
        </Boton>
      </div>
    </ActionForm>
  );
}
