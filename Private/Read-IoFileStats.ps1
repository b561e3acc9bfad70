function Read-IoFileStats {
    <# One snapshot of sys.dm_io_virtual_file_stats: a CSV file by its path, or the rows of a query as objects. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'The view is called file stats.')]
    [OutputType([IoBench.Analysis.FileStatsSnapshot])]
    param(
        [Parameter(Mandatory)]
        [object] $Snapshot,

        [Parameter(Mandatory)]
        [string] $Name,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $source = $Snapshot -is [psobject] ? $Snapshot.psobject.BaseObject : $Snapshot
    $read = if ($source -is [string] -or $source -is [System.IO.FileInfo]) {
        $path = $source -is [string] ? $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($source) : $source.FullName
        [IoBench.Loader.OwnLoad]::Load($path)
    } else {
        # A data table as SqlClient gives it, or a list of rows.
        $rows = if ($source -is [System.Data.DataTable]) { $source.Rows } else { $Snapshot }
        [IoBench.Loader.OwnLoad]::Snapshot([System.Collections.IDictionary[]]@(
                foreach ($row in $rows) {
                    if ($row -is [System.Collections.IDictionary]) {
                        $row
                    } else {
                        $values = @{}
                        foreach ($property in $row.psobject.Properties) { $values[$property.Name] = $property.Value }
                        $values
                    }
                }), $Name)
    }
    if ($read.Error) {
        $Cmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $read.Error -TargetObject $Snapshot))
    }
    $read.Value
}
