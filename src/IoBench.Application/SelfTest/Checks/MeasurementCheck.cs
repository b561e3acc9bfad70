using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class MeasurementCheck
{
    private const string Code = "Arithmetic",
        Subject = "Arithmetic";
    private const double FastMs = 0.2,
        SlowMs = 5;
    private const int SlowPercent = 2,
        Outstanding = 4;

    // The histogram is exact to 0.8%. The share of slow I/Os is random.
    private const double BucketError = 0.008,
        RandomError = 0.05;

    public static IEnumerable<SelfTestCheck> CheckArithmetic(SelfTestContext context)
    {
        var test = context.CreateTest(IoBuffering.None);
        test.Backend = NullBackend.Name;
        test.NullDevice = new NullDeviceModel(Servers: 0, FastMs, NullServiceTime.Bimodal, SlowMs, SlowPercent);
        test.OutstandingIO = Outstanding;
        test.Duration = TimeSpan.FromSeconds(20);
        var result = context.RunTest(test, new VirtualClock());
        var average = FastMs + (SlowMs - FastMs) * SlowPercent / 100;
        (string Name, double? Value, double Truth, double Error, string Unit)[] figures =
        [
            ("min", result.MinLatencyMs, FastMs, 0, "ms"),
            ("P50", result.P50Ms, FastMs, BucketError, "ms"),
            ("P99", result.P99Ms, SlowMs, BucketError, "ms"),
            ("max", result.MaxLatencyMs, SlowMs, 0, "ms"),
            ("average", result.AverageLatencyMs, average, RandomError, "ms"),
            ("IOPS", result.IOPS, 1000 * Outstanding / average, RandomError, ""),
            // Little's law is exact except for the I/Os at the start and the end.
            ("IOPS x average", result.IOPS * result.AverageLatencyMs, 1000 * Outstanding, 0.001, ""),
        ];
        var wrong = figures.Where(f => f.Value is not { } value || Math.Abs(value - f.Truth) > f.Error * f.Truth + 1e-9).ToList();
        var errors = wrong.Select(f => FormattableString.Invariant($"{f.Name} is {f.Value:0.####} in place of {f.Truth:0.####}"));
        var evidence = figures.Select(f => new FindingEvidence(f.Name, f.Value, f.Unit)).ToArray();
        yield return wrong.Count == 0
            ? SelfTestCheck.Pass(
                Code,
                Subject,
                FormattableString.Invariant(
                    $"a modelled device of {FastMs} ms, {SlowPercent} % of it {SlowMs} ms, was measured as it is: average {result.AverageLatencyMs:0.000} ms, P50 {result.P50Ms:0.000}, P99 {result.P99Ms:0.000}, {result.IOPS:#,0} IOPS."
                ),
                null,
                evidence
            )
            : SelfTestCheck.Fail(
                Code,
                Subject,
                $"a modelled device was measured wrongly: {string.Join(", ", errors)}.",
                "This is a bug of IoBench: report it",
                evidence
            );
    }
}
