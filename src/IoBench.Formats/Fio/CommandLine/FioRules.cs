namespace IoBench.Formats;

internal static class FioTestMapper
{
    private static readonly (string Option, string Why)[] s_refusedOptions =
    [
        ("verify_only", "it only checks what an earlier run wrote, and this test would write it anew"),
        ("create_only", "it only makes its files, and this test would read or write them"),
        ("read_iolog", "it repeats I/O that was recorded, whatever its other options say"),
        ("opendir", "which files it uses is known when it runs: name them"),
        ("filename_format", "its files have names of their own: name them with filename"),
    ];

    internal static void CheckSupported(FioJobDefinition section)
    {
        foreach (var (option, why) in s_refusedOptions)
        {
            if (section.Options.IsOn(option))
                throw section.CreateNotSupportedError($"{option} is not offered: {why}.");
        }
        if (section.Options.IsOn("readonly") && section.Options.OperationKind is not ("read" or "randread"))
            throw section.CreateNotSupportedError(
                $"readonly forbids the writes of rw={section.Options.OperationKind}: fio does not run it either."
            );
    }

    internal static bool IsVerificationOption(string name) =>
        name is "verify" or "do_verify" or "readonly"
        || name.StartsWith("verify_", StringComparison.Ordinal)
        || name.StartsWith("experimental_verify", StringComparison.Ordinal);
}
