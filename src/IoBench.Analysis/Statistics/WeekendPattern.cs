namespace IoBench.Analysis;

/// <summary>
/// Finds values that differ on weekends, such as higher rates when the storage is less busy. Each weekend is compared with the working days
/// next to it, so a step or a slope within the time does not look like a weekend.
/// </summary>
internal static class WeekendPattern
{
    private const int MinWeekends = 2;
    private const double MinDays = 13;

    /// <summary>Smallest effect that is removed: 3%.</summary>
    private const double MinEffect = 0.03;

    /// <summary>Smallest effect in standard errors.</summary>
    private const double MinRatio = 4;

    /// <summary>Returns the factor of weekends; 1 if there is no effect, or less than two weeks of values.</summary>
    public static double FindFactor(IReadOnlyList<TrendPoint> points)
    {
        if (points.Count == 0 || points.Any(point => point.Value <= 0) || (points[^1].Time - points[0].Time).TotalDays < MinDays)
            return 1;
        var differences = new List<double>();
        for (var start = 0; start < points.Count; start++)
        {
            if (!IsWeekend(points[start]))
                continue;
            var end = start;
            while (end + 1 < points.Count && IsWeekend(points[end + 1]))
                end++;
            // Without working days on both sides, a change next to the weekend would look like the weekend.
            if (start > 0 && end + 1 < points.Count)
                differences.Add(
                    Enumerable.Range(start, end - start + 1).Average(i => Math.Log(points[i].Value))
                        - (Math.Log(points[start - 1].Value) + Math.Log(points[end + 1].Value)) / 2
                );
            start = end;
        }
        if (differences.Count < MinWeekends)
            return 1;
        var (effect, spread) = RobustSpread.FromValues(differences);
        // Four values hardly show a spread. The values of working days show it better.
        var error = Math.Max(spread, GetDailySpread(points)) / Math.Sqrt(differences.Count);
        return Math.Abs(effect) >= MinEffect && Math.Abs(effect) >= MinRatio * error ? Math.Exp(effect) : 1;
    }

    public static bool IsWeekend(TrendPoint point) => point.Time.DayOfWeek is DayOfWeek.Saturday or DayOfWeek.Sunday;

    /// <summary>Spread of the logarithms from one working day to the next.</summary>
    private static double GetDailySpread(IReadOnlyList<TrendPoint> points)
    {
        var days = points.Where(point => !IsWeekend(point)).Select(point => Math.Log(point.Value)).ToList();
        return days.Count < 3 ? 0 : RobustSpread.FromValues([.. days.Zip(days.Skip(1), (a, b) => b - a)]).Deviation / Math.Sqrt(2);
    }
}
