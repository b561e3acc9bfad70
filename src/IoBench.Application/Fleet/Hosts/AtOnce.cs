using System.Runtime.ExceptionServices;

namespace IoBench.Application.Fleet.Hosts;

/// <summary>Work on several things at a time.</summary>
internal static class AtOnce
{
    /// <summary>Hosts that are worked on at a time.</summary>
    public const int Hosts = 32;

    /// <summary>Does it for each; what one of them throws is thrown as it is.</summary>
    public static void Do<T>(IEnumerable<T> items, int max, Action<T> one)
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
