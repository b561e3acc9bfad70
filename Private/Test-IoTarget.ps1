function Test-IoTarget {
    <#
        Checks a target without changing anything. Where a person may decide (a file of SQL Server is read, its volume is loaded, somebody else's file
        is overwritten) the person is asked, if there is one. Nothing is returned for a target that stays refused: the error has then been written.
    #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.PreparedTarget])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification] $Specification,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoTargetSpecification] $Target,

        [Parameter(Mandatory)]
        [IoBench.Engine.TestRunOptions] $Options,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    while ($true) {
        $checked = [IoBench.Loader.Attempt]::Check($Specification, $Target, $Options)
        if (-not $checked.Error) {
            return $checked.Value
        }
        $problem = ConvertTo-IoErrorRecord -ErrorObject $checked.Error -TargetObject $Target.Path
        $id = $problem.FullyQualifiedErrorId
        $reads = $Specification.PatternOf($Target).WritePercent -eq 0
        $question = switch ($id) {
            'IoBench.SqlServerFile' { if ($reads -and -not $Options.AllowSqlServerRead) { 'Read it all the same? SQL Server will wait for its own I/O meanwhile.' } }
            'IoBench.ForeignFile' { if (-not $Options.Force) { 'Its content will be lost. Use it all the same?' } }
        }
        if (-not $question -or -not (Test-IoPrompt -Cmdlet $Cmdlet) -or -not $Cmdlet.ShouldContinue("$problem`n$question", 'Test a file that is not IoBench''s')) {
            $Cmdlet.WriteError($problem)
            return
        }
        if ($id -eq 'IoBench.SqlServerFile') { $Options.AllowSqlServerRead = $true } else { $Options.Force = $true }
    }
}
