using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Limit">Longest outage or I/O that is allowed; null for the time after which SQL Server reports a slow I/O.</param>
public sealed record DrillPlan(IoTestSpecification Test, TimeSpan? Limit, bool EndsWithKey)
{
    internal const double DefaultIops = 200;

    internal const int DefaultWritePercent = 50;

    private const long DefaultFileSize = 256 << 20;
    private static readonly TimeSpan s_duration = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan s_untilKey = TimeSpan.FromDays(1);

    public static DrillPlan Create(string path, OptionValues values)
    {
        var untilKey = values.IsOn(new OptionName("UntilKey"));
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = values.GetValue<long>(OptionNames.FileSize) ?? DefaultFileSize,
            BlockSize = values.GetValue<long>(OptionNames.BlockSize) ?? 8192,
            WritePercent = values.GetValue<int>(OptionNames.WritePercent) ?? DefaultWritePercent,
            TargetIops = values.GetValue<double>(OptionNames.TargetIops) ?? DefaultIops,
            Duration = values.GetValue<TimeSpan>(OptionNames.Duration) ?? (untilKey ? s_untilKey : s_duration),
            ThreadCount = 1,
            OutstandingIO = 64,
            WarmUp = TimeSpan.Zero,
            Backend = BackendCatalog.Threads,
        };
        if (test.BlockSize % BlockHeader.BlockSize != 0)
            throw IoBenchException.Usage(
                "IoBench.InvalidValue",
                $"{OptionNames.BlockSize} must be a multiple of 4 KB, because a drill verifies each block of 4 KB.",
                advice: "Use 4KB, 8KB, or another multiple of 4KB."
            );
        SpecificationValidator.Validate(test);
        test.AssignSeed(IoTestSpecification.CreateSeedBase(), 0, round: 1);
        return new DrillPlan(test, values.GetValue<TimeSpan>(new OptionName("Limit")), untilKey);
    }

    public void CheckKeyboard(bool hasKeyboard)
    {
        if (EndsWithKey && !hasKeyboard)
            throw IoBenchException.Usage(
                "IoBench.NoKeyboard",
                $"{new OptionName("UntilKey")} requires a keyboard, and standard input is not a terminal.",
                advice: $"Use {OptionNames.Duration}."
            );
    }
}
