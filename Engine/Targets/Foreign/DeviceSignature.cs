using System.Text;

namespace IoBench.Engine.Targets.Foreign;

/// <summary>A known value at a known place of a device.</summary>
/// <param name="Name">What it shows, with its article: "an XFS file system".</param>
/// <param name="Offset">Bytes from the start; with <paramref name="EndUnit"/> bytes back from the end.</param>
/// <param name="EndUnit">0 = from the start; else the end is the size rounded down to a multiple of this many bytes.</param>
/// <param name="Confirm">For values of two bytes, which come by chance: looks at more. Given the bytes from the start of the value's sector.</param>
internal sealed record DeviceSignature(string Name, long Offset, byte[] Value, int EndUnit = 0, DeviceSignature.Look? Confirm = null)
{
    /// <summary>Bytes that <see cref="Confirm"/> gets, fewer at the end of a device.</summary>
    public const int LookBytes = 8192;

    private const int Sector = 512;

    /// <summary>Looks at the bytes from the start of a value's sector.</summary>
    public delegate bool Look(ReadOnlySpan<byte> bytes);

    /// <summary>Where the value stands on a device of a size; negative when the device is too small for it.</summary>
    public long PositionOn(long size) => EndUnit == 0 ? Offset : size / EndUnit * EndUnit - Offset;

    /// <summary>True when a device has it.</summary>
    public bool IsOn(DeviceContent content)
    {
        var at = PositionOn(content.Size);
        return at >= 0
            && content.At(at, Value.Length).SequenceEqual(Value)
            && (Confirm is null || Confirm(content.At(at / Sector * Sector, LookBytes)));
    }

    /// <summary>A value at a place from the start.</summary>
    public static DeviceSignature At(string name, long offset, params byte[] value) => new(name, offset, value);

    /// <summary>A text at a place from the start.</summary>
    public static DeviceSignature At(string name, long offset, string text) => new(name, offset, Encoding.ASCII.GetBytes(text));

    /// <summary>A text at several places from the start.</summary>
    public static IEnumerable<DeviceSignature> AtAny(string name, IEnumerable<long> offsets, string text) =>
        offsets.Select(o => At(name, o, text));

    /// <summary>A value at several places from the start.</summary>
    public static IEnumerable<DeviceSignature> AtAny(string name, IEnumerable<long> offsets, params byte[] value) =>
        offsets.Select(o => At(name, o, value));

    /// <summary>A value so many bytes back from the end.</summary>
    public static DeviceSignature FromEnd(string name, long bytes, byte[] value, int unit = Sector, Look? confirm = null) =>
        new(name, bytes, value, unit, confirm);

    /// <summary>A text so many bytes back from the end.</summary>
    public static DeviceSignature FromEnd(string name, long bytes, string text) => new(name, bytes, Encoding.ASCII.GetBytes(text), Sector);
}
