using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Finds the highest rate that meets a latency limit, with open-loop runs (so that every stall counts), bisection between a rate that meets
/// the limit and one that does not, and repeated probes near the limit.
/// </summary>
public sealed class LimitSearch
{
    // If the achieved rate is below this share of the target rate, the device is overloaded; a single stall cannot explain that.
    private const double FarBehind = 0.8;

    // Below the first and above the second share of the limit, one probe is enough.
    private const double ClearlyKept = 0.7,
        ClearlyMissed = 1.5;
    private const double RegressionWindow = 1.6;

    // The smallest number of I/Os that provides a value provides a poor one, and sometimes none, so aim for more.
    private const double Plenty = 2.5;

    // Below this share of the highest rate, the device is idle. If it does not meet the limit there, no rate does.
    private const double LowestShare = 0.04;

    // Below this share, queueing adds at most about a tenth (M/M/1), so a latency clearly above the limit is enough.
    private const double LowShare = 0.1;
    private const int MaxDoublings = 3;

    // Spread (standard deviation of the logarithm) of the latencies of equal runs: the smallest, and the one without repeated runs.
    private const double MinSpread = 0.05,
        DefaultSpread = 0.1;

    private const int MaxWidenings = 4;
    private const double LowerStep = 0.7,
        HigherStep = 1.25;

    // One degree of freedom would demand a factor of 12.7, which no latency reaches.
    private const double MaxQuantile = 3;

    // Number of I/Os for a reliable median, which is enough to see that the limit is out of reach.
    private const int FewIOs = 40;

    private readonly IoTestSpecification _specification;
    private readonly LatencyLimit _limit;
    private readonly LimitOptions _options;
    private readonly Func<IoTestSpecification, IoTestResult> _run;
    private readonly Action<LimitProbe>? _report;
    private readonly List<LimitProbe> _probes = [];
    private readonly TimeSpan _most;
    private TimeSpan _spent;

    // Why the search ends if no decision about a rate is possible.
    private LimitOutcome _end = LimitOutcome.Interrupted;

    private LimitSearch(
        IoTestSpecification specification,
        LatencyLimit limit,
        LimitOptions options,
        Func<IoTestSpecification, IoTestResult> run,
        Action<LimitProbe>? report
    )
    {
        _specification = specification;
        _limit = limit;
        _options = options;
        _run = run;
        _report = report;
        _most = GetMaxTime(specification, options);
    }

    /// <summary>Time of the largest number of runs. Slow disks need longer, and therefore fewer, runs.</summary>
    public static TimeSpan GetMaxTime(IoTestSpecification specification, LimitOptions options) =>
        GetRunTime(specification) * options.MaxProbes;

    private static TimeSpan GetRunTime(IoTestSpecification test) => test.RestBefore + test.WarmUp + test.Duration + test.CoolDown;

    private bool IsBudgetUsed => _probes.Count >= _options.MaxProbes || _spent >= _most;

    /// <param name="specification">The pattern. Its threads and outstanding I/Os limit the I/Os in progress; its rate is replaced.</param>
    /// <param name="report">Called after each run; can be null.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidLimit</c>. Errors of a run are not caught.</exception>
    public static LimitResult Find(
        IoTestSpecification specification,
        LatencyLimit limit,
        Func<IoTestSpecification, IoTestResult> run,
        LimitOptions? options = null,
        Action<LimitProbe>? report = null
    )
    {
        options ??= new();
        CheckInputs(specification, limit, options);
        return new LimitSearch(specification, limit, options, run, report).RunSearch();
    }

    /// <exception cref="IoBenchException"><c>IoBench.InvalidLimit</c>: the limit or an option is invalid for the pattern.</exception>
    public static void CheckInputs(IoTestSpecification specification, LatencyLimit limit, LimitOptions options)
    {
        if (limit.Milliseconds is not (> 0 and < double.PositiveInfinity))
            throw IoBenchException.Usage(
                "IoBench.InvalidLimit",
                "The latency limit must be a number of milliseconds greater than 0, for example 5 or 0.5."
            );
        if (options.TolerancePercent is not (>= 0.1 and <= 50) || options.Repeats < 1 || options.MaxProbes < 5 || options.MaxIops <= 0)
            throw IoBenchException.Usage(
                "IoBench.InvalidLimit",
                "Use a tolerance of 0.1 to 50 percent, at least 1 repeat, at least 5 probes, and a highest rate that is greater than 0."
            );
        if (
            limit.Operation is IoOperation.Read or IoOperation.Write && limit.GetShare(specification) is 0
            || limit.Operation is IoOperation.Read && specification.WritePercent == 100
            || limit.Operation is IoOperation.Write && specification.WritePercent == 0
        )
            throw IoBenchException.Usage(
                "IoBench.InvalidLimit",
                $"The limit applies to {limit.Operation.ToString()!.ToLowerInvariant()}s, but {PatternText.Describe(specification)} does not include such I/Os."
            );
    }

    /// <summary>Describes an interrupted search: the highest rate that meets the limit and the lowest rate that does not.</summary>
    public static string DescribeInterrupted(LatencyLimit limit, IReadOnlyList<LimitProbe> probes)
    {
        var rates = probes
            .Where(p => p.TargetIops is not null && !p.IsDoubtful)
            .GroupBy(p => p.TargetIops!.Value)
            .Where(g => !g.All(HasTooFewIOs))
            .Select(g => (Rate: g.Key, IsWithin: g.Count(p => p.IsWithinLimit) * 2 > g.Count()))
            .ToList();
        var missed = rates.Where(r => !r.IsWithin).Select(r => (double?)r.Rate).Min();
        var passed = rates.Where(r => r.IsWithin && !(r.Rate >= missed)).Select(r => (double?)r.Rate).Max();
        var low = passed is null
            ? $"No tested rate meets the limit ({limit})."
            : $"{NumberFormat.Rate(passed)} IOPS meet the limit ({limit}).";
        var high = missed is null ? "" : $" {NumberFormat.Rate(missed)} IOPS exceed the limit.";
        return $"The search was stopped after {NumberFormat.Pluralize(probes.Count, "run")}. {low}{high}";
    }

    private LimitResult RunSearch()
    {
        if (FindHighestRate() is not { } high)
            return CreateResult(LimitOutcome.Interrupted, null, null);
        // Start at a rate with enough I/Os in the specified duration. Lower rates need longer runs.
        var low = Math.Min(high, Math.Max(RequiredIOs / Math.Max(1, _specification.Duration.TotalSeconds), high * 0.01));
        return FindPassingRate(ref low, ref high, out var isMissed)
            ?? (isMissed ? null : FindFailingRate(ref low, ref high))
            ?? BisectRates(low, high);
    }

    // Null if the run was interrupted.
    private double? FindHighestRate()
    {
        if (_options.MaxIops is { } highest)
            return highest;
        var closed = RunProbe(null);
        return closed is null || closed.IOPS <= 0 ? null : closed.IOPS;
    }

    // Decreases the rate until it meets the limit; returns a result if no rate does.
    private LimitResult? FindPassingRate(ref double low, ref double high, out bool isMissed)
    {
        isMissed = false;
        var highest = high;
        while (true)
        {
            if (MeetsLimit(low) is not { } isMet)
                return CreateResult(_end, null, low);
            if (isMet)
                return null;
            if (low <= highest * LowestShare || low <= highest * LowShare && IsClearlyAbove(low))
                return CreateResult(LimitOutcome.NeverMet, null, low);
            // A rate that is not low cannot show that no rate meets the limit.
            if (IsBudgetUsed)
                return CreateResult(LimitOutcome.Unknown, null, low);
            if (!isMissed && IsFarAbove(_probes[^1].Result))
            {
                // An almost idle device shows with one probe whether any rate can meet the limit.
                var min = highest * LowestShare;
                if (RunProbe(min, ios: FewIOs) is not { } idle)
                    return CreateResult(LimitOutcome.Interrupted, null, min);
                if (IsFarAbove(idle.Result) && !idle.IsDoubtful)
                    return CreateResult(LimitOutcome.NeverMet, null, min);
            }
            isMissed = true;
            high = low;
            low /= 2;
        }
    }

    // Increases the rate until it exceeds the limit; returns a result if no rate does.
    private LimitResult? FindFailingRate(ref double low, ref double high)
    {
        for (var growths = 0; ; growths++)
        {
            if (IsBudgetUsed)
                return CreateResult(LimitOutcome.AlwaysMet, low, null);
            if (MeetsLimit(high) is not { } held)
                return CreateResult(_end, low, high);
            if (!held)
                return null;
            low = high;
            // An open loop can exceed the rate of the closed loop, because it does not always keep the same number of I/Os outstanding.
            if (_options.MaxIops is not null || growths == 8)
                return CreateResult(LimitOutcome.AlwaysMet, low, null);
            high *= 1.25;
        }
    }

    private LimitResult BisectRates(double low, double high)
    {
        while (high - low > _options.TolerancePercent / 100 * high && !IsBudgetUsed)
        {
            var middle = (low + high) / 2;
            if (MeetsLimit(middle) is not { } middleKept)
                return CreateResult(_end, low, high);
            if (middleKept)
                low = middle;
            else
                high = middle;
        }
        // Probe both ends as often as rates near the limit, so that the result does not depend on one run.
        foreach (var end in new[] { low, high })
            while (_probes.Count(p => p.TargetIops == end && !p.IsDoubtful) < _options.Repeats && !IsBudgetUsed)
                if (RunUntilMeasured(end) is null)
                    return CreateResult(LimitOutcome.Interrupted, low, high);
        return WidenBracket(low, high) ?? CreateResult(LimitOutcome.Found, low, high);
    }

    // Near the limit, runs of equal rates can differ too much to be certain, so add rates that are farther away from it.
    private LimitResult? WidenBracket(double low, double high)
    {
        var (below, above) = (low, high);
        for (var widenings = 0; widenings < MaxWidenings && !IsBudgetUsed; widenings++)
        {
            var certain = FindCertainRates();
            if (certain.Passed is null && RunUntilMeasured(below *= LowerStep) is null)
                return CreateResult(LimitOutcome.Interrupted, low, high);
            if (certain.Missed is null && _options.MaxIops is null && !IsBudgetUsed && RunUntilMeasured(above *= HigherStep) is null)
                return CreateResult(LimitOutcome.Interrupted, low, high);
            if (certain is { Passed: not null, Missed: not null })
                break;
        }
        return null;
    }

    // Null if a run was interrupted, or if a busy or paused host explains every run that exceeds the limit.
    private bool? MeetsLimit(double rate)
    {
        List<LimitProbe> probes = [];
        var doubtful = 0;
        while (true)
        {
            if (RunUntilMeasured(rate) is not { } probe)
                return null;
            if (probe.IsDoubtful)
            {
                if (++doubtful < _options.Repeats && !IsBudgetUsed)
                    continue;
                if (probes.Count * 2 > doubtful)
                    return probes.Count(p => p.IsWithinLimit) * 2 > probes.Count;
                _end = LimitOutcome.Unknown;
                return null;
            }
            probes.Add(probe);
            var isHeld = probe.IsRateReached;
            var isClear =
                !isHeld || probe.LatencyMs < ClearlyKept * _limit.Milliseconds || probe.LatencyMs > ClearlyMissed * _limit.Milliseconds;
            // A single stall must not reject a rate: repeat a first failure, unless the achieved rate was far below the target.
            if (
                isClear
                && (
                    probe.IsWithinLimit ? probes.Count == 1 : probes.Count == 2 && !probes[0].IsWithinLimit || probe.IOPS < FarBehind * rate
                )
            )
                return probe.IsWithinLimit;
            if (probes.Count >= _options.Repeats || IsBudgetUsed)
                return probes.Count(p => p.IsWithinLimit) * 2 > probes.Count;
        }
    }

    private LimitProbe? RunUntilMeasured(double rate)
    {
        for (var doublings = 0; ; doublings++)
        {
            var probe = RunProbe(rate, RequiredIOs * (1 << doublings), 1 << doublings);
            if (probe is null || probe.LatencyMs is not null || !probe.IsRateReached || doublings == MaxDoublings || IsBudgetUsed)
                return probe;
        }
    }

    private static bool HasTooFewIOs(LimitProbe probe) => probe.LatencyMs is null && probe.IsRateReached;

    private double RequiredIOs => Plenty * _limit.MinIOs / _limit.GetShare(_specification);

    // If half of the I/Os take at least twice the limit, the average and the 99th percentile exceed the limit.
    private bool IsFarAbove(IoTestResult result) =>
        (result.ResponseP50Ms ?? result.P50Ms) >= 2 * _limit.Milliseconds && _limit.GetShare(_specification) == 1;

    private bool IsClearlyAbove(double rate) =>
        _probes.Where(p => p.TargetIops == rate && !p.IsDoubtful).Average(p => p.LatencyMs) > ClearlyMissed * _limit.Milliseconds;

    private LimitProbe? RunProbe(double? rate, double ios = 0, int stretch = 1)
    {
        var specification = _specification.Clone();
        var targets = Math.Max(1, specification.Targets.Count);
        specification.TargetIops = rate / targets;
        // A probe above the limit is part of the search, so it must run for its whole duration.
        specification.StopAboveMs = null;
        foreach (var target in specification.Targets)
            if (target.Pattern is { } pattern)
                pattern.TargetIops = rate / targets;
        specification.Repeat = _probes.Count(p => p.TargetIops == rate) + 1;
        specification.Seed = IoTestSpecification.DeriveSeed(_specification.Seed, test: 0, round: _probes.Count + 1);
        if (rate is { } asked)
        {
            // The remaining time limits the longer runs of low rates, but not the specified duration.
            var left = Math.Max(specification.Duration.TotalSeconds, (_most - _spent).TotalSeconds);
            specification.Duration = TimeSpan.FromSeconds(
                Math.Min(left, Math.Max(specification.Duration.TotalSeconds * stretch, ios / asked))
            );
        }
        _spent += GetRunTime(specification);
        var result = _run(specification);
        var iops = result.IOPS ?? 0;
        var latency = _limit.GetLatency(result);
        var probe = new LimitProbe(rate, iops, latency, IsWithinLimit: false, result);
        var isWithin = rate is not null && probe.IsRateReached && latency <= _limit.Milliseconds;
        _probes.Add(probe with { IsWithinLimit = isWithin, IsDoubtful = !isWithin && IsExplainedByHost(probe) });
        _report?.Invoke(_probes[^1]);
        return result.Status == IoResultStatus.Complete ? _probes[^1] : null;
    }

    private bool IsExplainedByHost(LimitProbe probe) =>
        !probe.IsRateReached
            ? CpuWait.CanExplainRate(probe.Result, probe.TargetIops!.Value / Math.Max(1e-9, probe.IOPS))
            : probe.LatencyMs is { } ms
                && CpuWait.CanExplainLatency(probe.Result, ms, _limit.Milliseconds, _limit.Statistic == LatencyStatistic.Average);

    private LimitResult CreateResult(LimitOutcome outcome, double? low, double? high)
    {
        var pattern = PatternText.Describe(_specification);
        var fit = outcome == LimitOutcome.Found ? FitCrossing(low!.Value, high!.Value) : null;
        var iops = outcome switch
        {
            LimitOutcome.Found => fit?.X ?? low,
            LimitOutcome.AlwaysMet or LimitOutcome.Interrupted or LimitOutcome.Unknown => low,
            _ => null,
        };
        var (from, to) =
            fit is not null ? WidenInterval(fit, GetCertainBracket(low!.Value, high!.Value))
            : outcome == LimitOutcome.NeverMet ? (null, null)
            : outcome == LimitOutcome.Found ? GetCertainBracket(low!.Value, high!.Value)
            : (low, high);
        var idle = _probes.Where(p => p.TargetIops is not null && p.LatencyMs is not null).MinBy(p => p.TargetIops)?.LatencyMs;
        var mbps = iops * _specification.GetMeanBlockSize() / 1048576;
        static string Number(double? value) => NumberFormat.Rate(value, "?");
        return new LimitResult
        {
            Outcome = outcome,
            IOPS = iops,
            MBps = mbps,
            ConfidenceLow = from,
            ConfidenceHigh = to,
            Confidence = fit is not null
                ? $"95% confidence interval from a regression over {fit.Count} runs near the limit, at least as wide as the tested range"
                : "from the highest rate that clearly meets the limit to the lowest rate that clearly exceeds it, or to the highest tested rate",
            Limit = _limit.ToString(),
            IdleLatencyMs = idle,
            IOPattern = pattern,
            Path = _probes.Count > 0 ? _probes[^1].Result.Path : null,
            Probes = _probes,
            Tried = DescribeProbes(_probes),
            Summary = outcome switch
            {
                LimitOutcome.Found =>
                    $"{pattern}: {Number(iops)} IOPS ({ThroughputDisplay.Format(mbps ?? 0)}) is the highest rate that meets the limit ({_limit}). {(fit is not null ? "95% confidence:" : "Range:")} {Number(from)} to {Number(to)} IOPS from {NumberFormat.Pluralize(_probes.Count, "run")}.{DescribeBudgetEnd(isOpen: high - low > _options.TolerancePercent / 100 * high)}{DescribeShortRuns()}",
                LimitOutcome.AlwaysMet =>
                    $"{pattern}: every rate up to {Number(iops)} IOPS meets the limit ({_limit}). The search did not reach a rate that exceeds the limit.{(_options.MaxIops is null ? DescribeBudgetEnd(isOpen: true) : "")}{DescribeShortRuns()}",
                LimitOutcome.NeverMet =>
                    $"{pattern}: no rate meets the limit ({_limit}). At {Number(high)} IOPS, {DescribeWhyNeverMet(idle)}. Tested rates: {DescribeProbes(_probes)}.",
                LimitOutcome.Unknown =>
                    $"{pattern}: the highest rate that meets the limit ({_limit}) is unknown. {DescribeDoubt(low, high)} Tested rates: {DescribeProbes(_probes)}.",
                _ =>
                    $"{pattern}: the search ended early ({DescribeStatus(_probes.LastOrDefault()?.Result.Status)}). {DescribeHighestPassing(low)}",
            },
        };
    }

    private static string DescribeStatus(IoResultStatus? status) => status?.ToString().ToLowerInvariant() ?? "no run";

    private string DescribeHighestPassing(double? low) =>
        low is null ? $"No tested rate meets the limit ({_limit})." : $"{NumberFormat.Rate(low, "?")} IOPS meet the limit ({_limit}).";

    private string DescribeDoubt(double? low, double? high)
    {
        var known = low is null ? "" : $" {NumberFormat.Rate(low, "?")} IOPS meet the limit.";
        return _probes.FindLast(p => p.IsDoubtful) is { } doubtful
            ? $"At {NumberFormat.Rate(high, "?")} IOPS, the runs exceed the limit, but {CpuWait.DescribeReason(doubtful.Result)}.{known} Repeat the search when the computer is less busy, or with fewer threads."
            : $"The search ended before it tested low rates, so a rate below the lowest tested rate might meet the limit.{known}{DescribeBudgetEnd(isOpen: true)} Use more runs or a longer duration.";
    }

    private string DescribeWhyNeverMet(double? idle) =>
        IsFarAbove(_probes[^1].Result)
            ? $"half of the I/Os take {NumberFormat.Milliseconds(_probes[^1].Result.ResponseP50Ms ?? _probes[^1].Result.P50Ms!.Value)} or longer"
            : $"the {_limit.Name} is {(idle is { } ms ? NumberFormat.Milliseconds(ms) : "unknown")}";

    private string DescribeBudgetEnd(bool isOpen)
    {
        if (!isOpen || !IsBudgetUsed)
            return "";
        var runs = NumberFormat.Pluralize(_options.MaxProbes, "run");
        return _probes.Count < _options.MaxProbes
            ? $" The search stopped after {NumberFormat.Duration(_most.TotalSeconds)}, the time that {runs} of the specified duration would take."
            : $" The search stopped at its maximum of {runs}.";
    }

    private string DescribeShortRuns() =>
        _limit.Milliseconds > _specification.Duration.TotalMilliseconds
            ? " The latency limit is longer than the duration of a run, so IoBench rated only the achieved rate, not the latency. Use a longer duration."
            : "";

    private static string DescribeProbes(IReadOnlyList<LimitProbe> probes) =>
        string.Join(
            "; ",
            probes.Where(p => p.TargetIops is not null).GroupBy(p => p.TargetIops!.Value).OrderBy(g => g.Key).Select(DescribeRate)
        );

    private static string DescribeRate(IGrouping<double, LimitProbe> probes)
    {
        var outcome = probes.All(HasTooFewIOs)
            ? "too few I/Os"
            : $"{probes.Count(p => p.IsWithinLimit)} of {NumberFormat.Pluralize(probes.Count(), "run")} within the limit";
        var latencies = probes.Select(p => p.LatencyMs).OfType<double>().ToList();
        var latency = latencies.Count > 0 ? $", {NumberFormat.Plain(latencies.Average(), 3)} ms" : "";
        return $"{NumberFormat.Rate(probes.Key)} IOPS: {outcome}{latency}";
    }

    // Queueing delays are correlated, so the regression is too certain. Never report less than the runs themselves confirm.
    private static (double?, double?) WidenInterval(InverseRegression fit, (double Low, double High) bracket) =>
        (Math.Min(fit.Low, bracket.Low), Math.Max(fit.High, bracket.High));

    private (double Low, double High) GetCertainBracket(double low, double high)
    {
        var (passed, missed) = FindCertainRates();
        return (Math.Min(low, passed ?? 0), Math.Max(high, missed ?? _probes.Max(p => p.TargetIops ?? p.IOPS)));
    }

    // The bracket by majority is too narrow if the runs spread: a rate counts only if the mean of its runs differs from the limit by more
    // than the spread of all repeated rates explains.
    private (double? Passed, double? Missed) FindCertainRates()
    {
        var rates = _probes
            .Where(p => p.TargetIops is not null && !p.IsDoubtful && !HasTooFewIOs(p))
            .GroupBy(p => p.TargetIops!.Value)
            .OrderBy(g => g.Key)
            .Select(g =>
                (Rate: g.Key, Logs: g.Where(HasLatency).Select(p => Math.Log(p.LatencyMs!.Value)).ToList(), Missed: !g.Any(HasLatency))
            )
            .ToList();
        var level = Math.Log(_limit.Milliseconds);
        // Beyond saturation, latency depends on the length of the run, so those rates say nothing about the spread near the limit.
        var repeated = rates.Where(r => r.Logs.Count > 1 && r.Logs.Average() < level + Math.Log(RegressionWindow)).ToList();
        var degrees = repeated.Sum(r => r.Logs.Count - 1);
        var squares = repeated.Sum(r => r.Logs.Sum(l => Math.Pow(l - r.Logs.Average(), 2)));
        var spread = Math.Max(MinSpread, degrees > 0 ? Math.Sqrt(squares / degrees) : DefaultSpread);
        var factor = degrees > 0 ? Math.Min(MaxQuantile, Distributions.StudentQuantile(0.05, degrees)) : MaxQuantile;
        double GetMargin(List<double> logs) => factor * spread / Math.Sqrt(logs.Count);
        var passed = rates.TakeWhile(r => r.Logs.Count > 0 && r.Logs.Average() + GetMargin(r.Logs) <= level).Select(r => (double?)r.Rate);
        var missed = Enumerable
            .Reverse(rates)
            .TakeWhile(r => r.Missed || r.Logs.Average() - GetMargin(r.Logs) > level)
            .Select(r => (double?)r.Rate);
        return (passed.LastOrDefault(), missed.LastOrDefault());

        static bool HasLatency(LimitProbe probe) => probe.LatencyMs is > 0 && probe.IsRateReached;
    }

    // Near saturation, 1 / latency decreases linearly with the rate (exactly for M/M/1) and with even noise, so the crossing can use all
    // probes near the limit.
    private InverseRegression? FitCrossing(double low, double high)
    {
        var near = _probes
            .Where(p =>
                p.TargetIops is not null
                && !p.IsDoubtful
                && p.LatencyMs > 0
                && p.IsRateReached
                && p.LatencyMs > _limit.Milliseconds / RegressionWindow
                && p.LatencyMs < _limit.Milliseconds * RegressionWindow
            )
            .Select(p => (p.TargetIops!.Value, 1 / p.LatencyMs!.Value))
            .ToList();
        var fit = InverseRegression.FindCrossing(near, 1 / _limit.Milliseconds);
        // Do not accept a crossing that is far from the bracket that the runs confirmed.
        var slack = 2 * _options.TolerancePercent / 100 * high;
        return fit is not null && fit.X >= low - slack && fit.X <= high + slack && fit.Low > 0 ? fit : null;
    }
}
