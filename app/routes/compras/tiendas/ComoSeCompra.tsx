import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { enumerate } from '~/core/hechos';
import type { ComoSeCompra as Suyo } from '~/domain/compras/directorio/comoSeCompra.server';
import { MAX_ALMACENES } from '~/domain/compras/directorio/proveedor';
import type { Eleccion } from '~/integrations/proveedores/cara';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Estatus } from '~/ui/Estatus';
import { Hace } from '~/ui/Fecha';
import { Field, SelectField } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';

type De = { value: string; label: string; compra: Suyo };

/** What people choose once for all orders at a supplier, and what an order still lacks. */
export function ComoSeCompra({ value, label, compra, ahora }: De & { ahora: Date | string }) {
  const { falta, leidas, seLeen, lugar } = compra;
  return (
    <div className="apilado">
      {falta.length > 0 && (
        <p>
          <Estatus tono="mal">No se le puede pedir</Estatus> Falta elegir: {enumerate(falta)}.
        </p>
      )}
      {seLeen && (
        <LeerOpciones value={value} label={label}>
          {leidas === null ? (
            <Estatus tono="aviso">Sus opciones no se han leído</Estatus>
          ) : (
            <>
              {leidas.vieja && <Estatus tono="aviso">Pueden haber cambiado</Estatus>} Sus opciones se leyeron{' '}
              <Hace valor={leidas.leidasEn} ahora={ahora} />.
            </>
          )}
        </LeerOpciones>
      )}
      <CompraForm value={value} label={label} compra={compra} />
      <ProbarCompra value={value} label={label} />
      {lugar && lugar.nombres.length > 0 && (
        <div className="apilado">
          <h4>Sucursales de su existencia</h4>
          <p className="nota">
            {label} nombra así lugares que no están en su lista de sucursales. Lo que hay en un lugar sin sucursal no se
            puede pedir.
          </p>
          {lugar.nombres.map(({ nombre, sucursal }, at) => (
            <SucursalForm
              key={`${nombre} ${sucursal}`}
              id={`sucursal-${value}-${at}`}
              value={value}
              huella={compra.huella}
              nombre={nombre}
              sucursal={sucursal}
              elecciones={lugar.elecciones}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function LeerOpciones({ value, label, children }: Pick<De, 'value' | 'label'> & { children: ReactNode }) {
  const form = useActionForm('elecciones', { id: `elecciones-${value}` });
  return (
    <ActionForm of={form}>
      <Hidden proveedor={value} />
      <div className="con-boton">
        <p className="nota">{children}</p>
        <Boton type="submit" ocupado={form.pending !== undefined} aria-label={`Leer las opciones de ${label}`}>
          Leer sus opciones
        </Boton>
      </div>
    </ActionForm>
  );
}

/** The press that proves that an order would pass, and buys nothing. */
function ProbarCompra({ value, label }: Pick<De, 'value' | 'label'>) {
  const form = useActionForm('probarCompra', { id: `probarCompra-${value}` });
  return (
    <ActionForm of={form}>
      <Hidden proveedor={value} />
      <div className="con-boton">
        <p className="nota">Una prueba revisa con {label} que un pedido pasaría con lo guardado, sin comprar nada.</p>
        <Boton type="submit" ocupado={form.pending !== undefined} aria-label={`Probar compra a ${label}`}>
          Probar compra
        </Boton>
      </div>
    </ActionForm>
  );
}

const escrita = ({ clave, nombre }: Eleccion) => (nombre === clave ? clave : `${nombre} (${clave})`);

/** Returns the choices of a select, with the empty one first and a kept value that is offered no more at the end. */
function opcionesOf(elecciones: readonly Eleccion[], valor: string | null, vacia: string) {
  const dichas = elecciones.map((una) => ({ value: una.clave, label: escrita(una) }));
  const perdida = valor !== null && !elecciones.some(({ clave }) => clave === valor);
  return [
    { value: '', label: vacia },
    ...dichas,
    ...(perdida ? [{ value: valor, label: `${valor} (ya no se ofrece)` }] : []),
  ];
}

function CompraForm({ value, label, compra }: De) {
  const { datos, lugar, huella, numeroCliente, facturarA, telefono, cc } = compra;
  const form = useActionForm<Record<string, string>>('compra', {
    id: `compra-${value}`,
    defaultValue: {
      ...Object.fromEntries(datos.map((dato) => [dato.clave, dato.valor ?? ''])),
      numeroCliente: numeroCliente ?? '',
      facturarA: facturarA ?? '',
      telefono: telefono ?? '',
      cc,
    },
    required: false,
  });
  const lugares = lugar ? Math.min(MAX_ALMACENES, Math.max(3, lugar.almacenes.length + 1)) : 0;
  const sinLugares = form.answer?.error?.almacenes?.[0];
  return (
    <ActionForm of={form}>
      <Hidden proveedor={value} />
      <Visto of={form} marcas={{ huella }} />
      <div className="campos">
        {datos.map(({ clave, label: nombre, omision, valor, elecciones }) => (
          <SelectField
            key={clave}
            field={form.fields[clave]!}
            label={nombre}
            aria-label={`${nombre} de ${label}`}
            data={opcionesOf(elecciones, valor, omision === undefined ? 'Elige…' : `La de costumbre (${omision})`)}
          />
        ))}
        {Array.from({ length: lugares }, (_, at) => (
          <NativeSelect
            key={`${at} ${lugar!.almacenes[at] ?? ''}`}
            name="almacenes"
            label={`${lugar!.label} ${at + 1}`}
            aria-label={`${lugar!.label} ${at + 1} de ${label}`}
            defaultValue={lugar!.almacenes[at] ?? ''}
            data={opcionesOf(
              lugar!.elecciones,
              lugar!.almacenes[at] ?? null,
              at === 0 ? 'La que tenga más piezas' : '—',
            )}
            error={at === 0 ? sinLugares : undefined}
          />
        ))}
        <Field field={form.fields.numeroCliente!} label="Número de cliente" maxLength={40} autoComplete="off" />
        {compra.pideTelefono && (
          <Field
            field={form.fields.telefono!}
            label="Teléfono de contacto"
            description="Va con la guía cuando el mercado no dice el del comprador."
            aria-label={`Teléfono de contacto para ${label}`}
            type="tel"
            autoComplete="off"
          />
        )}
        <Field field={form.fields.facturarA!} label="En sus cartas, facturar a" maxLength={120} autoComplete="off" />
        <Field field={form.fields.cc!} label="Con copia a (correos)" maxLength={600} autoComplete="off" />
      </div>
      {lugar && (
        <p className="nota">
          Se pide al primero de la lista que tenga todas las piezas; si ninguno las tiene, al que tenga más.
        </p>
      )}
      <div className="botones">
        <Boton type="submit" ocupado={form.pending !== undefined} aria-label={`Guardar cómo se le compra a ${label}`}>
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}

type SucursalProps = {
  id: string;
  value: string;
  huella: string;
  nombre: string;
  sucursal: string | null;
  elecciones: readonly Eleccion[];
};

function SucursalForm({ id, value, huella, nombre, sucursal, elecciones }: SucursalProps) {
  const form = useActionForm<{ sucursal: string }>('sucursal', {
    id,
    defaultValue: { sucursal: sucursal ?? '' },
    required: { sucursal: true },
  });
  return (
    <ActionForm of={form}>
      <Hidden proveedor={value} nombre={nombre} />
      <Visto of={form} marcas={{ huella }} />
      <div className="con-boton">
        <SelectField
          field={form.fields.sucursal}
          label={nombre}
          aria-label={`Sucursal de «${nombre}»`}
          data={opcionesOf(elecciones, sucursal, 'Sin sucursal: no se puede pedir')}
        />
        <Boton type="submit" ocupado={form.pending !== undefined} aria-label={`Guardar la sucursal de «${nombre}»`}>
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}
