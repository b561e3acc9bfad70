namespace IoBench.Formats.Fio.CommandLine;

/// <summary>What a job may not ask for: what of it would be left, would write where fio does not, or to other files.</summary>
internal static class FioRules
{
    /// <summary>Options with which a job does no I/O by its other options.</summary>
    private static readonly (string Option, string Why)[] s_refused =
    [
        ("verify_only", "it only checks what an earlier run wrote, and this test would write it anew"),
        ("create_only", "it only makes its files, and this test would read or write them"),
        ("read_iolog", "it repeats I/O that was recorded, whatever its other options say"),
        ("opendir", "which files it uses is known when it runs: name them"),
        ("filename_format", "its files have names of their own: name them with filename"),
    ];

    /// <summary>Refuses a job of which a part would be left that does something else.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotSupported</c>.</exception>
    internal static void Check(FioSection section)
    {
        foreach (var (option, why) in s_refused)
        {
            if (section.Options.IsOn(option))
                throw section.NotOffered($"{option} is not offered: {why}.");
        }
        if (section.Options.IsOn("readonly") && section.Options.Kind is not ("read" or "randread"))
            throw section.NotOffered($"readonly forbids the writes of rw={section.Options.Kind}: fio does not run it either.");
    }

    /// <summary>Options that say how data is checked: without a check they do nothing, and one is named as a whole (<see cref="FioChecks"/>).</summary>
    internal static bool IsAboutChecks(string name) =>
        name is "verify" or "do_verify" or "readonly"
        || name.StartsWith("verify_", StringComparison.Ordinal)
        || name.StartsWith("experimental_verify", StringComparison.Ordinal);
}
