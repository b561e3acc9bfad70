using System.Globalization;

namespace IoBench.Engine;

internal static class TestFileSizeRules
{
    private const long GB = 1L << 30;

    public const long DefaultSize = 20 * GB;

    /// <summary>20 GB, but at most 10% of the free space, or 1% if more would leave too little.</summary>
    public static long GetDefaultSize((long Total, long Available)? space, long unit)
    {
        if (space is not { } known)
            return DefaultSize;
        var size = Math.Min(DefaultSize, known.Available / 10);
        if (LeavesTooLittleSpace(size, known))
            size = known.Available / 100;
        // Round to whole megabytes for readability, unless the size is smaller.
        return RoundDown(size, size >= 1 << 20 ? 1 << 20 : unit);
    }

    public static long RoundDown(long size, long unit) => size - size % unit;

    public static long GetMinimumSize(IoPattern pattern, IoTargetSpecification target) => target.BaseOffset + 2 * pattern.BlockSize;

    public static void CheckHoldsTest(long size, IoPattern pattern, IoTargetSpecification target, string path)
    {
        var min = GetMinimumSize(pattern, target);
        if (size < min)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{path} ({FormatSize(size)}) is too small. Blocks of {FormatSize(pattern.BlockSize)} require a file of at least "
                    + $"{FormatSize(min)}.",
                path,
                advice: "Use a larger file."
            );
        if (target.MaxOffset is { } end && (end > size || end - target.BaseOffset < pattern.BlockSize))
            throw IoBenchException.Usage(
                "IoBench.InvalidOffset",
                $"{path}: the range from {target.BaseOffset} to {end} is not within the file of {size} bytes, or is smaller than a block.",
                path,
                advice: "Choose offsets within the file."
            );
    }

    /// <summary>Throws if a volume has too little space, or would be left too full for a database on it to grow.</summary>
    public static void CheckFreeSpace(
        string path,
        long size,
        long moreBytes,
        (long Total, long Available)? space,
        string volume,
        TestRunOptions options
    )
    {
        if (space is not { } known || moreBytes <= 0)
            return;
        if (moreBytes > known.Available)
            throw IoBenchException.Refused(
                ErrorIds.NotEnoughSpace,
                $"{path} needs {FormatSize(moreBytes)}, but {volume} has {FormatSize(known.Available)} free.",
                path,
                advice: $"Choose a smaller {OptionNames.FileSize} or another volume."
            );
        if (options.Permissions.FillVolume || !LeavesTooLittleSpace(moreBytes, known))
            return;
        var allowed = Math.Max(known.Available - GetRequiredFreeSpace(known), known.Available / 100);
        var smaller = OptionNames.FileSize.WithValue(FormatArgument(allowed + size - moreBytes));
        // Advise the switch only if it would help.
        throw IoBenchException.Refused(
            "IoBench.VolumeTooFull",
            $"A test file of {FormatSize(size)} ({path}) would leave only {FormatSize(known.Available - moreBytes)} free on {volume}. At least "
                + $"{FormatSize(GetRequiredFreeSpace(known))} must stay free, so that databases on the volume can grow.",
            path,
            options.OwnFilesOnly
                ? (IoMessage)$"Use {smaller} or less."
                : $"Use {smaller} or less, or add {OptionNames.FillVolume} to leave less free space."
        );
    }

    // A test file of at most 1% of the free space is always allowed.
    private static bool LeavesTooLittleSpace(long moreBytes, (long Total, long Available) space) =>
        space.Available - moreBytes < GetRequiredFreeSpace(space) && moreBytes > space.Available / 100;

    private static long GetRequiredFreeSpace((long Total, long Available) space) => Math.Min(space.Total / 10, 10 * GB);

    private static string FormatSize(long bytes) => new IoSize(bytes).ToDisplayString();

    // In the format of the option, rounded down so that the advised size is accepted.
    private static string FormatArgument(long bytes)
    {
        if (bytes >= 10 * GB)
            return (bytes / GB).ToString(CultureInfo.InvariantCulture) + "GB";
        if (bytes >= 1 << 20)
            return (bytes >> 20).ToString(CultureInfo.InvariantCulture) + "MB";
        return (bytes >> 10).ToString(CultureInfo.InvariantCulture) + "KB";
    }
}
