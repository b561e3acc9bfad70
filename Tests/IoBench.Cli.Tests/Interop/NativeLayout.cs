using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Cli.Tests;

/// <summary>The real layout of a structure in memory, as the operating system sees it through a pointer.</summary>
internal static class NativeLayout
{
    private static readonly MethodInfo s_sizeOf = typeof(NativeLayout).GetMethod(
        nameof(SizeOfType),
        BindingFlags.NonPublic | BindingFlags.Static
    )!;
    private static readonly MethodInfo s_alignmentOf = typeof(NativeLayout).GetMethod(
        nameof(AlignmentOfType),
        BindingFlags.NonPublic | BindingFlags.Static
    )!;
    private static readonly MethodInfo s_pattern = typeof(NativeLayout).GetMethod(
        nameof(CreatePattern),
        BindingFlags.NonPublic | BindingFlags.Static
    )!;

    public static int SizeOf(Type type) =>
        type.IsPointer ? nint.Size
        : type.IsEnum ? SizeOf(type.GetEnumUnderlyingType())
        : (int)s_sizeOf.MakeGenericMethod(type).Invoke(null, null)!;

    public static int AlignmentOf(Type type) => (int)s_alignmentOf.MakeGenericMethod(type).Invoke(null, null)!;

    /// <summary>
    /// Bytes before a field. In a structure whose bytes hold their own offsets, the first byte of the field is its offset.
    /// </summary>
    public static int OffsetOf(FieldInfo field) =>
        GetFirstByte(field.GetValue(s_pattern.MakeGenericMethod(field.DeclaringType!).Invoke(null, null))!);

    private static unsafe byte GetFirstByte(object value) =>
        value switch
        {
            Pointer pointer => (byte)(nint)Pointer.Unbox(pointer),
            nint number => (byte)number,
            nuint number => (byte)number,
            char letter => (byte)letter,
            IConvertible number => (byte)(
                number is ulong big ? big & 0xFF : (ulong)Convert.ToInt64(number, System.Globalization.CultureInfo.InvariantCulture) & 0xFF
            ),
            _ => GetFirstByte(
                value.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)[0].GetValue(value)!
            ),
        };

    private static object CreatePattern<T>()
        where T : unmanaged
    {
        T value = default;
        var bytes = MemoryMarshal.AsBytes(new Span<T>(ref value));
        for (var i = 0; i < bytes.Length; i++)
            bytes[i] = (byte)i;
        return value;
    }

    private static int SizeOfType<T>() => Unsafe.SizeOf<T>();

    private static int AlignmentOfType<T>() => Unsafe.SizeOf<AlignmentProbe<T>>() - Unsafe.SizeOf<T>();

    [StructLayout(LayoutKind.Sequential)]
    private struct AlignmentProbe<T>
    {
        public byte First;
        public T Value;
    }
}
