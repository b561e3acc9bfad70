using System.Text;

namespace IoBench.Engine;

/// <summary>A known value at a known position of a file or device.</summary>
/// <param name="EndUnit">0 = from the start; otherwise back from the end, rounded down to a multiple of this number.</param>
/// <param name="Confirm">Second check for values of two bytes. Gets the bytes from the start of the value's sector.</param>
internal sealed partial record ContentSignature(
    string Name,
    long Offset,
    byte[] Value,
    int EndUnit = 0,
    ContentSignature.SignatureConfirmation? Confirm = null
)
{
    public const int ConfirmBytes = 8192;

    private const int Sector = 512;

    public delegate bool SignatureConfirmation(ReadOnlySpan<byte> bytes);

    /// <summary>Returns a negative number if the target is too small for the value.</summary>
    public long GetPosition(long size) => EndUnit == 0 ? Offset : size / EndUnit * EndUnit - Offset;

    public bool IsPresentIn(TargetContent content)
    {
        var at = GetPosition(content.Size);
        return at >= 0
            && content.ReadAt(at, Value.Length).SequenceEqual(Value)
            && (Confirm is null || Confirm(content.ReadAt(at / Sector * Sector, ConfirmBytes)));
    }

    /// <summary>Whether a part of a target, such as a partition, begins with the value at its offset.</summary>
    public bool IsPresentIn(ReadOnlySpan<byte> part) =>
        EndUnit == 0
        && Offset + Value.Length <= part.Length
        && part.Slice((int)Offset, Value.Length).SequenceEqual(Value)
        && (Confirm is null || Confirm(part[((int)Offset / Sector * Sector)..]));

    public static ContentSignature At(string name, long offset, params byte[] value) => new(name, offset, value);

    public static ContentSignature At(string name, long offset, string text) => new(name, offset, Encoding.ASCII.GetBytes(text));

    public static IEnumerable<ContentSignature> AtAny(string name, IEnumerable<long> offsets, string text) =>
        offsets.Select(o => At(name, o, text));

    public static IEnumerable<ContentSignature> AtAny(string name, IEnumerable<long> offsets, params byte[] value) =>
        offsets.Select(o => At(name, o, value));

    public static ContentSignature FromEnd(
        string name,
        long bytes,
        byte[] value,
        int unit = Sector,
        SignatureConfirmation? confirm = null
    ) => new(name, bytes, value, unit, confirm);

    public static ContentSignature FromEnd(string name, long bytes, string text) => new(name, bytes, Encoding.ASCII.GetBytes(text), Sector);
}
