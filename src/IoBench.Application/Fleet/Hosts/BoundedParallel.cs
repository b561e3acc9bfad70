using System.Runtime.ExceptionServices;

namespace IoBench.Application;

internal static class BoundedParallel
{
    public const int MaxHosts = 32;

    /// <summary>Throws the first exception itself instead of an AggregateException.</summary>
    public static void ForEach<T>(IEnumerable<T> items, int max, Action<T> one)
    {
        try
        {
            Parallel.ForEach(items, new ParallelOptions { MaxDegreeOfParallelism = max }, one);
        }
        catch (AggregateException error)
        {
            ExceptionDispatchInfo.Throw(error.Flatten().InnerExceptions[0]);
        }
    }
}
