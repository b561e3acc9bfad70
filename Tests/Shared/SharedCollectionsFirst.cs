using Xunit.Abstractions;

namespace IoBench.Tests;

/// <summary>
/// Starts collections of several classes before those of a single class. Their classes run one after the other, so a collection that starts
/// late
/// would still run when all others have ended.
/// </summary>
public sealed class SharedCollectionsFirst : ITestCollectionOrderer
{
    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) =>
        testCollections.OrderBy(collection => collection.DisplayName.StartsWith("Test collection for ", StringComparison.Ordinal));
}
