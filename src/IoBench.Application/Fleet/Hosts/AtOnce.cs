using System.Runtime.ExceptionServices;

namespace IoBench.Application;

/// <summary>Work on several things at a time.</summary>
internal static class AtOnce
{
    /// <summary>Does it for each; what one of them throws is thrown as it is.</summary>
    public static void Do<T>(IEnumerable<T> items, int most, Action<T> one)
    {
        try
        {
            Parallel.ForEach(items, new ParallelOptions { MaxDegreeOfParallelism = most }, one);
        }
        catch (AggregateException error)
        {
            ExceptionDispatchInfo.Throw(error.Flatten().InnerExceptions[0]);
        }
    }
}
